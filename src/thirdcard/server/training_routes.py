"""The paths of training."""

from thirdcard.access.endpoints import Endpoint
from thirdcard.reports.files import ReportForm
from thirdcard.server import exercises, training, training_records
from thirdcard.server.http import Route
from thirdcard.server.openapi import Parameter
from thirdcard.server.routing import LANGUAGE, route
from thirdcard.views.questions import Question, Required, ToldFacts
from thirdcard.wire import exercises as exercised
from thirdcard.wire import paths
from thirdcard.wire import training as trained

OF_GAME = Parameter("game", "The id of a game; without it the first one that has drills")

OF_PERSON = Parameter("person", "The name of a person; without it the asker")

TRAINING_ROUTES: tuple[Route, ...] = (
    route(
        Endpoint.TRAINING,
        "GET",
        paths.DRILLS,
        training.drills,
        trained.DrillsAnswer,
        query=(OF_GAME, LANGUAGE),
        refused=(400,),
        name="drills",
    ),
    route(
        Endpoint.TRAINING,
        "POST",
        paths.DRILL_SESSIONS,
        training.begin,
        trained.DrillAnswer,
        form=trained.BeginDrillForm,
        query=(LANGUAGE,),
        refused=(400, 404),
        name="begin-drill",
    ),
    route(
        Endpoint.TRAINING,
        "GET",
        paths.DRILL_SESSION,
        training.look,
        trained.DrillAnswer,
        query=(LANGUAGE,),
        refused=(404,),
        name="drill",
    ),
    route(
        Endpoint.TRAINING,
        "POST",
        f"{paths.DRILL_SESSION}/commands",
        training.command,
        trained.DrillAnswer,
        form=trained.DrillCommandForm,
        query=(LANGUAGE,),
        refused=(404,),
        name="drill-command",
    ),
    route(
        Endpoint.TRAINING,
        "POST",
        f"{paths.DRILL_SESSION}/irregularity",
        training.irregularity,
        Question | Required,
        form=ToldFacts,
        refused=(404,),
        name="drill-irregularity",
    ),
    route(
        Endpoint.TRAINING,
        "POST",
        f"{paths.DRILL_SESSION}/calls",
        training.call_post,
        trained.DrillAnswer,
        form=trained.CallPostForm,
        query=(LANGUAGE,),
        refused=(404,),
        name="drill-call",
    ),
    route(
        Endpoint.TRAINING,
        "POST",
        f"{paths.DRILL_SESSION}/go-on",
        training.go_on,
        trained.DrillAnswer,
        query=(LANGUAGE,),
        refused=(404,),
        name="drill-go-on",
    ),
    route(
        Endpoint.TRAINING,
        "POST",
        f"{paths.DRILL_SESSION}/grade",
        training.finish,
        trained.GradeAnswer,
        query=(LANGUAGE,),
        refused=(404,),
        name="drill-grade",
    ),
    route(
        Endpoint.TRAINING,
        "GET",
        paths.TRAINED_GAMES,
        exercises.games,
        exercised.TrainedGamesAnswer,
        name="trained-games",
    ),
    route(
        Endpoint.TRAINING,
        "POST",
        paths.FAULT_SESSIONS,
        exercises.begin_fault,
        trained.DrillAnswer,
        form=exercised.BeginFaultForm,
        query=(LANGUAGE,),
        refused=(404,),
        name="begin-fault",
    ),
    route(
        Endpoint.TRAINING,
        "POST",
        paths.EXERCISES,
        exercises.begin_exercise,
        exercised.ExerciseStanding,
        form=exercised.BeginExerciseForm,
        name="begin-exercise",
    ),
    route(
        Endpoint.TRAINING,
        "GET",
        paths.EXERCISE,
        exercises.look_at_exercise,
        exercised.ExerciseStanding,
        refused=(404,),
        name="exercise",
    ),
    route(
        Endpoint.TRAINING,
        "POST",
        f"{paths.EXERCISE}/answers",
        exercises.answer,
        exercised.ExerciseStanding,
        form=exercised.AnswerForm,
        refused=(404,),
        name="exercise-answer",
    ),
    route(
        Endpoint.TRAINING,
        "POST",
        f"{paths.EXERCISE}/next",
        exercises.go_on_from,
        exercised.ExerciseStanding,
        form=exercised.GoOnForm,
        refused=(404,),
        name="exercise-next",
    ),
    route(
        Endpoint.TRAINING_RECORD,
        "GET",
        paths.TRAINING_RECORD,
        training_records.record,
        trained.TrainingRecordAnswer,
        query=(OF_PERSON, LANGUAGE),
        refused=(400,),
    ),
    route(
        Endpoint.TRAINING_RECORD,
        "GET",
        paths.TRAINING_FILE,
        training_records.record_file,
        str,
        query=(OF_PERSON, LANGUAGE),
        refused=(400,),
        media=tuple(each.media for each in ReportForm),
        name="training-record-file",
    ),
)
