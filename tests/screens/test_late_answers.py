"""Answers that come when the page has moved on."""

import pytest
from screens.conftest import Visit

pytestmark = pytest.mark.timed

# lets answers to requests of a kind through when asked to, and then within one task
_HOLD = """(kind) => {
  const real = window.fetch;
  window.held = [];
  window.fetch = async (path, init) => {
    const answer = await real(path, init);
    if (!String(path).includes(kind)) return answer;
    const [status, body] = [answer.status, await answer.json()];
    await new Promise((release) => window.held.push(release));
    return {status, json: () => Promise.resolve(body)};
  };
}"""
_RELEASE = "() => new Promise((done) => { window.held.forEach((release) => release()); setTimeout(done); })"


def test_records_that_come_late_are_left_out(visit: Visit) -> None:
    screen = visit(None, post="auditor")
    screen.page.add_init_script(f"({_HOLD})('/audit/tiger/')")
    screen.open("/records?table=tiger&part=journal")
    screen.until(lambda: screen.page.evaluate("window.held.length") == 1)
    screen.field("Table").select_option("The floor: people, sessions, terminals")
    journal = screen.page.get_by_role("region", name="Journal")
    journal.get_by_text("Signed in").first.wait_for()
    before = journal.get_by_role("listitem").count()
    screen.page.evaluate(_RELEASE)
    assert screen.unexpected == [], "nothing reads what belonged to the journal before"
    assert journal.get_by_role("listitem").count() == before
