"""Reports of gaming days and shifts over HTTP, for screens and as files; made in a process of their own."""

from thirdcard.access.actors import Staff
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.reports.files import ReportForm
from thirdcard.reports.report import ReportKind
from thirdcard.server import proofs
from thirdcard.server.context import ServerContext
from thirdcard.server.http import Call, Raw
from thirdcard.wire.reports import ReportAnswer

REPORT_KINDS = {each.value: each for each in ReportKind}
REPORT_FORMS = {each.value: each for each in ReportForm}


async def report(context: ServerContext, call: Call) -> ReportAnswer | Refused:
    """A report of gaming days, of shifts, or of a whole time."""
    asked = _asked(context, call)
    if isinstance(asked, Refused):
        return asked
    return await context.back_office.report(proofs.tell_report, asked)


async def report_file(context: ServerContext, call: Call) -> Raw | Refused:
    """A report as CSV, as a workbook for spreadsheets, or as a PDF to sign."""
    form, asked = REPORT_FORMS.get(call.path["form"]), _asked(context, call)
    if form is None or not form.is_there:
        return refuse(Refusal.NOT_UNDERSTOOD, problem=call.path["form"])
    if isinstance(asked, Refused):
        return asked
    content = await context.back_office.report(proofs.write_report, asked, form)
    if isinstance(content, Refused):
        return content
    days = "-".join(each for each in (asked.first, asked.last) if each)
    return Raw(content, form.media, "-".join(filter(None, ("report", asked.kind, days))) + f".{form}")


def _asked(context: ServerContext, call: Call) -> proofs.AskedReport | Refused:
    """The report that the query of a request asks for."""
    kind = REPORT_KINDS.get(call.query.get("kind", ReportKind.DAY))
    if kind is None:
        return refuse(Refusal.NOT_UNDERSTOOD, problem=call.query["kind"])
    there = tuple(each.setup.table for each in context.directory.floor.tables)
    table = call.query.get("table")
    if table and table not in there:
        return refuse(Refusal.NO_SUCH_TABLE)
    actor = call.actor
    return proofs.AskedReport(
        kind=kind,
        first=call.query.get("from", ""),
        last=call.query.get("to", ""),
        tables=(table,) if table else there,
        now=context.floor.clock.now().wall_time,
        language=call.language,
        signer=(actor.name, actor.posts) if isinstance(actor, Staff) else ("", ()),
    )
