"""A drill at a terminal: what is told, what is typed in the words of round files, and the grade."""

from rich.console import Console

from thirdcard.cli.prompts import Asker
from thirdcard.messages import message, say, say_all
from thirdcard.refusals import Refused
from thirdcard.roundfile.actions import bodies_of
from thirdcard.roundfile.tell import cited
from thirdcard.roundfile.values import BadWord
from thirdcard.rulebook.house import House
from thirdcard.rulebook.words import post_name, text
from thirdcard.training.event_sentences import event_sentences
from thirdcard.training.grade import Grade
from thirdcard.training.session import DrillSession
from thirdcard.training.shipped_words import title_of
from thirdcard.training.staff_names import posts_by_name

WITH, CALL = "with ", "call "
TOLD_SIGNS = {"act": "» ", "hint": "* ", "entry": "  "}


class DrillAtTerminal:
    """Takes the lines of a trainee until the drill is over."""

    def __init__(self, session: DrillSession, asker: Asker) -> None:
        self.session, self.asker = session, asker
        self.house = session.rehearsal.house
        self.posts = {name.casefold(): post for name, post in posts_by_name(self.house).items()}
        self.posts |= {post_name(post).casefold(): post for post in self.house.form.posts}

    def run(self) -> None:
        """Say what it is about, and take lines."""
        drill, session = self.session.rehearsal.drill, self.session
        post, title = f"@post.{session.post}", title_of(drill)
        self.asker.say(say(message("train-record.begins", title=title, game=drill.game, post=post)))
        if session.limit is not None:
            self.asker.say(text("train-record.limit", seconds=session.limit))
        while not session.over:
            self._tell()
            if not session.over:
                self.take(self.asker.ask("> "))
        self._tell()

    def take(self, line: str) -> None:
        """Take one line: something that is done, a call, or a word."""
        word = line.casefold()
        if not line:
            return
        if word == "done":
            self.session.finish()
        elif word == "next":
            self.session.pass_on()
        elif word == "help":
            self.asker.say(text("train-record.help"))
        elif word.startswith(CALL):
            self._call(word.removeprefix(CALL))
        else:
            self._do(line)

    def _call(self, name: str) -> None:
        post = self.posts.get(name.strip())
        if post is None:
            posts = ", ".join(post_name(each) for each in self.house.form.posts)
            self.asker.say(text("train-record.which-post", posts=posts))
        else:
            self.session.call(post)

    def _do(self, line: str) -> None:
        """Do what a line says, alone or with somebody else."""
        authoriser = None
        what = line
        if line.casefold().startswith(WITH) and ": " in line:
            name, _, what = line[len(WITH) :].partition(": ")
            names = {post: staff for staff, post in posts_by_name(self.house).items()}
            post = self.posts.get(name.strip().casefold())
            authoriser = names[post] if post else name.strip()
        try:
            bodies = bodies_of(what, self.session.name, self.house.currency)
        except BadWord as error:
            self.asker.say(str(error))
            return
        if bodies is None:
            self.asker.say(text("train-record.not-understood", line=line))
            return
        for body in bodies:
            result = self.session.send(body, authoriser)
            if isinstance(result, Refused):
                reason = say(result.message)
                self.asker.say(text("train-record.refused", reason=reason) + cited(result.clauses))
                return
            for event in result:
                for said, _ in event_sentences(event, self.house):
                    self.asker.say(TOLD_SIGNS["entry"] + say(said))

    def _tell(self) -> None:
        for each in self.session.acts():
            self.asker.say(TOLD_SIGNS[each.kind] + each.said())


def tell_grade(house: House, grade: Grade, out: Console) -> None:
    """Print the points of each aspect, what was wrong, and the right way: words, what is typed, clauses."""
    posts = posts_by_name(house)
    points = text(
        "train-record.points-of", points=grade.points, most=grade.most, seconds=round(grade.seconds)
    )
    out.print(points, style="bold")
    for aspect, right in grade.aspects.items():
        out.print(f"{'+' if right else '-'} {text(f'train-aspect.{aspect}')}")
        for each in grade.findings:
            if each.aspect is aspect and not each.right:
                out.print(f"    {each.said()}{cited(each.clauses)}", soft_wrap=True)
    out.print(text("train-record.right-way"), style="bold")
    for step in grade.right_way:
        out.print(f"{post_name(posts.get(step.actor, step.actor))}: {say_all(step.says)}", soft_wrap=True)
        out.print(f"    > {step.typed}", soft_wrap=True)
        for sentence, grounds in step.sentences:
            out.print(f"    {say(sentence)}{cited(grounds)}", soft_wrap=True)
        if step.rules:
            rules = "; ".join(map(say, step.rules))
            out.print(f"    {text('train-record.rules', rules=rules)}", soft_wrap=True)
