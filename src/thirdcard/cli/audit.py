"""``thirdcard audit``: proves a journal, replays it, and gives out what it holds about a round."""

import hashlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TextIO

from cyclopts import App, Parameter
from msgspec.structs import replace

from thirdcard.auditor.exported import BadExport, Exported, line_of_key
from thirdcard.auditor.findings import Finding
from thirdcard.auditor.marked import marked_in
from thirdcard.auditor.replay import State, replay
from thirdcard.auditor.resume import BadProof, StreamProof, read_proofs, write_proofs
from thirdcard.auditor.signed import stored_checkpoints
from thirdcard.auditor.verify import Against, StreamReport, streams_of
from thirdcard.cli.arguments import Flag, WholeNumber
from thirdcard.cli.export import Output, Streams, export
from thirdcard.cli.journals import NOWHERE, Journal, JournalPlace, bar, chosen, public_keys, run
from thirdcard.cli.key import open_ring
from thirdcard.cli.output import NEGATIVE_ANSWER, BadInput, complain, console, print_json, print_table
from thirdcard.cli.proving import Proving, number_of_workers, prove_streams
from thirdcard.dossier.bundle import write
from thirdcard.dossier.make import ToldRound, make_dossier, told_round
from thirdcard.dossier.story import RESULTS, STORY_COLUMNS, WAGER_COLUMNS, StoryStep, wager_name
from thirdcard.floor.state import Floor
from thirdcard.game.state import Table
from thirdcard.journal.checkpoints import line_of
from thirdcard.journal.codec import encode
from thirdcard.journal.marks import MarkUnusable
from thirdcard.journal.software import ENGINE, build_of
from thirdcard.journal.store import Store
from thirdcard.messages import say
from thirdcard.money import format_amount
from thirdcard.rulebook.words import post_name, text
from thirdcard.streams.opening import place, usual_key

app = App(name="audit", help="Prove the journal of a floor, and ask it.", help_format="plaintext")
app.command(export)


@app.command(name="verify")
def verify_(
    *,
    journal: JournalPlace = NOWHERE,
    stream: Streams = (),
    chain: Flag = False,
    checkpoints: Path | None = None,
    marks: Path | None = None,
    key: Path | None = None,
    proven: Path | None = None,
    workers: WholeNumber | None = None,
    json: Flag = False,
) -> int:
    """Prove that a journal agrees with itself and with what was signed, and that everything is by the rules.

    Every record is chained to the one before it, signed by the floor, and covered by checkpoints; every
    command is decided again by the stored rulebook, every settlement recounted, all money booked, and the
    snapshot compared. With --key it is proven that the floor has signed, else that somebody has. An end that
    was cut off, or an old backup in the place of the journal, shows only with --marks or --checkpoints, and
    not what was recorded in the second after the last of them. docs/audit.md says what else only they
    disprove. Exit status 0 if nothing is wrong, 1 if something was found, 2 if it cannot be read.

    Parameters
    ----------
    journal
        The journal.
    stream
        Only this stream, such as a table; may be given several times.
    chain
        Only follow the chain and compare digests; of the signatures the last one of each stream is checked.
    checkpoints
        Checkpoints that were exported before and kept elsewhere: the journal must still agree with them.
    marks
        The mark of the journal, or the marks that a witness has: the journal must not be behind them. Without
        it the mark beside the usual key file is taken, where there is one.
    key
        The floor's key file, or a file with its public keys: whatever another key has signed is a finding.
    proven
        Prove only what came since this file was written, and note in it how far that is; where it is not
        there, everything. Keep it where nobody can write who can write the journal.
    workers
        Processes, each of which proves one stream at a time; without it as many as there are cores, and one
        for a short journal. The verdict is the same.
    json
        Print JSON.
    """
    given = _against(checkpoints, key)
    proofs = _proofs(proven, given, chain_only=chain)

    async def ask(store: Store) -> tuple[Against, dict[str, int]]:
        against = await _held_against(store, given, marks, journal)
        names = chosen(stream, await streams_of(store, against))
        return against, {name: await _left(store, name, proofs) for name in names}

    against, streams = run(ask, journal)
    total = sum(streams.values())
    with bar(text("audit.verifying")) as advance:
        advance(0, total)
        how, most = (
            Proving(against, chain, proofs if proven is not None else None),
            number_of_workers(workers, total),
        )
        found = prove_streams(journal, streams, how, workers=most, advance=advance)
    reports = [report for report, _ in found]
    _keep_proofs(proven, proofs, [each for _, each in found if each], given)
    if json:
        whole = all(each.whole for each in reports)
        print_json({"whole": whole, "streams": [_told(each) for each in reports]})
    else:
        _print_reports(reports, keys_given=key is not None)
    return 0 if all(each.whole for each in reports) else NEGATIVE_ANSWER


async def _left(store: Store, stream: str, proofs: dict[str, StreamProof] | None) -> int:
    """How many records of a stream are to be proven."""
    before = proofs[stream].sequence if proofs and stream in proofs else 0
    return max(0, (await store.head(stream)).sequence - before)


def _proofs(file: Path | None, given: Against, *, chain_only: bool) -> dict[str, StreamProof] | None:
    if file is not None and chain_only:
        raise BadInput(text("audit.chain-and-proven"))
    try:
        return read_proofs(file, _key_ids(given)) if file is not None else None
    except BadProof as error:
        raise BadInput(str(error)) from error


def _keep_proofs(
    file: Path | None, before: dict[str, StreamProof] | None, found: list[StreamProof], given: Against
) -> None:
    if file is None or before is None:
        return
    try:
        write_proofs(file, before | {each.stream: each for each in found}, _key_ids(given))
    except BadProof as error:
        raise BadInput(str(error)) from error


def _key_ids(given: Against) -> tuple[str, ...] | None:
    return tuple(sorted(given.public_keys)) if given.public_keys is not None else None


def _against(checkpoints: Path | None, key: Path | None) -> Against:
    try:
        kept = Exported(checkpoints) if checkpoints is not None else None
    except BadExport as error:
        raise BadInput(str(error)) from error
    return Against(public_keys(key) if key is not None else None, kept)


async def _held_against(store: Store, given: Against, marks: Path | None, journal: Journal) -> Against:
    """Return the keys and checkpoints to compare with, and the ends of streams that were marked."""
    usual = place(data=journal.data, postgres=journal.postgres).mark_file.path
    file = marks or (usual if usual.exists() else None)
    if file is None:
        return given
    try:
        return replace(given, marked=await marked_in(store, file, given.public_keys))
    except MarkUnusable as error:
        raise BadInput(str(error)) from error


def _told(report: StreamReport) -> dict[str, object]:
    told = {name: getattr(report, name) for name in report.__struct_fields__}
    for name in ("findings", "notes"):
        told[name] = [
            {"record": each.sequence, "what": each.what.key.partition(".")[2], "says": say(each.what)}
            for each in told[name]
        ]
    return {"stream": report.stream, "whole": report.whole, **told}


def _print_reports(reports: list[StreamReport], *, keys_given: bool) -> None:
    out = console()
    for report in reports:
        out.print(_headline(report), soft_wrap=True)
        for finding in report.findings:
            out.print(f"  {finding.sequence:>7}  {say(finding.what)}", soft_wrap=True)
        if report.more_findings:
            out.print(f"  {'':>7}  {text('audit.more', more=report.more_findings)}", soft_wrap=True)
        for note in report.notes:
            out.print(f"  {note.sequence:>7}  {text('audit.note', says=say(note.what))}", soft_wrap=True)
        if report.more_notes:
            out.print(f"  {'':>7}  {text('audit.more-notes', more=report.more_notes)}", soft_wrap=True)
        for software, records in report.lenient.items():
            out.print(f"  {'':>7}  {_lenient(software, records)}", soft_wrap=True)
    signers = sorted({key for report in reports for key in report.keys})
    if signers and not keys_given:
        out.print(text("audit.compare-keys", keys=", ".join(signers)), soft_wrap=True)
    records, bad = sum(each.records for each in reports), [each for each in reports if not each.whole]
    if not bad:
        signed, old = sum(each.signed for each in reports), sum(each.old for each in reports)
        bare = sum(each.uncovered for each in reports)
        counts = {"signed": signed, "old": old, "covered": old - bare, "uncovered": bare}
        out.print(text("audit.whole", streams=len(reports), records=records, **counts), soft_wrap=True)
        names = {"checked": "signed_until", "kept": "kept_until", "marked": "marked_until"}
        covered = {name: sum(getattr(each, part) for each in reports) for name, part in names.items()}
        out.print(text("audit.covered", **covered), soft_wrap=True)
        if not covered["kept"] + covered["marked"]:
            out.print(text("audit.end-not-proven"), soft_wrap=True)
        return
    findings = sum(len(each.findings) + each.more_findings for each in bad)
    out.print(text("audit.not-whole", findings=findings, bad=len(bad), streams=len(reports)))


def _lenient(software: str, records: int) -> str:
    """Say how many records of a build were not decided again strictly, and why."""
    key = "audit.other-engine" if build_of(software).engine else "audit.unnumbered-engine"
    return text(key, records=records, software=software, engine=ENGINE)


def _headline(report: StreamReport) -> str:
    """A stream in one line: how far it is whole, and what was looked at."""
    parts = [text("audit.records", records=report.records)]
    parts.append(_signatures(report))
    if report.since:
        parts.append(text("audit.since", record=report.since))
    if report.rounds:
        parts.append(text("audit.rounds", rounds=report.rounds, wagers=report.wagers or 0))
    if report.checkpoints:
        parts.append(text("audit.signed", checkpoints=report.checkpoints, record=report.signed_until))
    if report.kept:
        parts.append(text("audit.kept", checkpoints=report.kept, record=report.kept_until))
    if report.marked_until:
        parts.append(text("audit.marked", record=report.marked_until))
    if report.first_bad is None:
        verdict = text("audit.stream-whole")
    else:
        verdict = text("audit.first-bad", record=report.first_bad)
    return f"{report.stream}: {', '.join(parts)}. {verdict}"


def _signatures(report: StreamReport) -> str:
    """How many records of a stream the floor has signed, and how many are from before it did."""
    if report.old:
        return text(
            "audit.records-signed-since", signed=report.signed, old=report.old, uncovered=report.uncovered
        )
    return text("audit.records-signed", signed=report.signed)


@app.command(name="replay")
def replay_(
    *,
    journal: JournalPlace = NOWHERE,
    stream: Streams = (),
    until: WholeNumber | None = None,
    digest: Flag = False,
    json: Flag = False,
) -> int:
    """Replay streams from their first record by the stored rules, and show what they came to.

    Exit status 1 if a command is decided otherwise than it was recorded, or a record cannot be replayed.

    Parameters
    ----------
    journal
        The journal.
    stream
        Only this stream; may be given several times.
    until
        Stop after this record.
    digest
        Print only the SHA-256 of the state, which is the same on every machine.
    json
        Print the state as JSON, one stream a line.
    """

    async def ask(store: Store) -> dict[str, tuple[int, State | None, list[Finding]]]:
        return {name: await _replayed(store, name, until) for name in chosen(stream, await store.streams())}

    wrong = False
    for name, (records, state, findings) in run(ask, journal).items():
        if digest:
            print(hashlib.sha256(encode(state)).hexdigest(), name)
        elif json:
            shown = _floor(state) if isinstance(state, Floor) else state
            print_json({"stream": name, "records": records, "state": shown})
        else:
            console().print(text("audit.after", stream=name, records=records))
            print_table(None, (text("audit.part"), text("audit.state")), _state_rows(state))
        for finding in findings:
            wrong = True
            complain(f"{name}: {say(finding.what)}")
    return NEGATIVE_ANSWER if wrong else 0


async def _replayed(store: Store, stream: str, until: int | None) -> tuple[int, State | None, list[Finding]]:
    """How far a stream was replayed, what it came to, and what is wrong; only the first few findings."""
    records, state, findings = 0, None, list[Finding]()
    async for step in replay(store, stream, until=until):
        if isinstance(step, Finding):
            findings.append(step)
            break
        records, state = step.record.sequence, step.state
        if len(findings) < 10:
            findings += [Finding(records, what) for what in step.verdict.wrong]
    return records, state, findings


def _state_rows(state: State | None) -> list[tuple[str, str]]:
    """A state in rows, what is empty left out."""
    shown = _floor(state) if isinstance(state, Floor) else _table(state.table) if state else {}
    return [(name.replace("_", " "), value) for name, value in shown.items() if value]


def _table(table: Table) -> dict[str, str]:
    shoe, current = table.shoe, table.round
    return {
        "game": table.setup.game,
        "phase": text(f"phase.{table.phase.value}"),
        "paused": text("fact.yes") if table.paused else "",
        "staff": ", ".join(f"{each.person} ({post_name(each.post)})" for each in table.staff),
        "patrons": ", ".join(each.name for each in table.patrons),
        "credits": ", ".join(f"{each.terminal} {each.credits}" for each in table.credits),
        "shoe": text("audit.shoe", number=shoe.number, left=shoe.left) if shoe else "",
        "round": str(current.number) if current else "",
        "cards": " ".join(
            f"{each.hand.value[0].upper()}:{each.card.text if each.card else '?'}"
            for each in (current.cards if current else ())
        ),
        "wagers": "\n".join(f"{each.patron} {each.wager} {each.stake}" for each in table.wagers),
        "irregularity": text(f"situation.{table.case.situation.value}") if table.case else "",
        "disputes": ", ".join(f"{each.id} {each.step.value}" for each in table.disputes),
    }


def _floor(floor: Floor) -> dict[str, str]:
    """A floor without its secrets."""
    return {
        "people": "\n".join(f"{each.name}: {', '.join(each.posts)}" for each in floor.people),
        "signed_in": ", ".join(each.person for each in floor.sessions),
        "terminals": ", ".join(each.id for each in floor.terminals),
        "tables": ", ".join(each.setup.table for each in floor.tables),
    }


@app.command(name="round")
def round_(stream: str, number: WholeNumber, *, journal: JournalPlace = NOWHERE, json: Flag = False) -> None:
    """Tell one round card by card: who did what, when, and by which clause.

    Parameters
    ----------
    stream
        The stream of the table.
    number
        The number of the round.
    journal
        The journal.
    json
        Print JSON, one step a line.
    """
    told = run(lambda store: _found(store, stream, number), journal)
    story = told.story
    if json:
        for step in (*story.steps, *story.disputes):
            print_json(step)
        return
    out = console()
    out.print(text("dossier.title", round=number, table=stream))
    steps = [_row(step) for step in story.steps]
    columns = tuple(text(key) for key in (*STORY_COLUMNS, "settle.clause"))
    print_table(None, columns, [row for rows in steps for row in rows])
    currency = told.rules.house.currency
    wagers = [
        (
            each.patron,
            wager_name(each.wager, told.rules.games[told.found.setup.game]),
            format_amount(each.stake, currency),
            text(RESULTS[each.result]),
            *(format_amount(amount, currency) for amount in (each.paid, each.taken, each.back)),
            ", ".join(each.clauses),
        )
        for each in story.stakes
    ]
    if wagers:
        print_table(None, tuple(text(key) for key in (*WAGER_COLUMNS, "settle.clause")), wagers)
    if story.disputes:
        rows = [row for step in story.disputes for row in _row(step)]
        print_table(text("dossier.disputes"), columns, rows)


def _row(step: StoryStep) -> list[tuple[str, ...]]:
    """A step as rows, one a sentence; what they share stands in the first."""
    when = step.moment.strftime("%H:%M:%S")
    who = text("audit.with", person=step.person, other=step.authoriser) if step.authoriser else step.person
    shared = [(str(step.record), when, who)] + [("", "", "")] * (len(step.lines) - 1)
    return [
        (*first, line.text, ", ".join(line.clauses)) for first, line in zip(shared, step.lines, strict=True)
    ]


async def _found(store: Store, stream: str, number: int) -> ToldRound:
    chosen((stream,), await store.streams())
    told = await told_round(store, stream, number)
    if told is None:
        raise BadInput(text("audit.no-such-round", stream=stream, round=number))
    return told


@app.command
def dossier(
    stream: str,
    number: WholeNumber,
    *,
    output: Output,
    journal: JournalPlace = NOWHERE,
    key: Path | None = None,
) -> int:
    """Bind everything about one round together: records, proofs, rules, disputes, and a page to read.

    What is written can be checked without thirdcard by the verifier.py in it. The floor's key signs the list
    of its files, and so the page and the verifier. Exit status 1 if it could not, or if no checkpoint covers
    all of its records yet, so that something in it is not proven.

    Parameters
    ----------
    stream
        The stream of the table.
    number
        The number of the round.
    journal
        The journal.
    output
        A folder, or a file whose name ends in .zip.
    key
        The file with the floor's keys; without one $THIRDCARD_KEYS, or the usual place for a user's settings.
    """
    signer = open_ring(key or usual_key()) if key or usual_key().exists() else None

    async def ask(store: Store) -> bool:
        made = await make_dossier(store, await _found(store, stream, number), signer)
        try:
            write(made.files, output)
        except OSError as error:
            raise BadInput(text("road.not-written", file=str(output), reason=error.strerror or "")) from error
        return made.proof.checkpoint is not None

    proven = run(ask, journal)
    console().print(text("audit.dossier-written", output=str(output)), soft_wrap=True)
    if not proven:
        complain(text("dossier.unsigned"))
    if signer is None:
        complain(text("dossier.not-bound"))
    return 0 if proven and signer else NEGATIVE_ANSWER


@app.command
def checkpoints(
    *,
    journal: JournalPlace = NOWHERE,
    stream: Streams = (),
    output: Annotated[Path | None, Parameter(name=("--output", "-o"))] = None,
) -> None:
    """Export the signed checkpoints, to be kept where nobody can write who can write the journal.

    Parameters
    ----------
    journal
        The journal.
    stream
        Only this stream; may be given several times.
    output
        A file; without it they are printed.
    """

    async def ask(store: Store) -> None:
        with _opened(output) as out:
            told: set[str] = set()
            for name in chosen(stream, await store.streams()):
                async for checkpoint in stored_checkpoints(store, name):
                    public = await store.content(checkpoint.key_id)
                    if checkpoint.key_id not in told and public is not None:
                        out.write(line_of_key(public).decode())
                    told.add(checkpoint.key_id)
                    out.write(line_of(checkpoint).decode())

    run(ask, journal)


@contextmanager
def _opened(output: Path | None) -> Iterator[TextIO]:
    if output is None:
        yield sys.stdout
        return
    try:
        with output.open("w", encoding="utf-8") as file:
            yield file
    except OSError as error:
        raise BadInput(text("road.not-written", file=str(output), reason=error.strerror or "")) from error
