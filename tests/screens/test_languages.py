"""The language of a page: chosen by its reader, else by the browser, else by the floor."""

from collections.abc import Iterator

import pytest
from screens.browser import Screen
from screens.conftest import Visit
from screens.floors import GAMES, demonstration, table
from server.served import Server

from thirdcard.messages import DECIMAL_MARKS, languages, plural_form, plural_forms, sentences

LANGUAGES = sorted(languages())
NUMBERS = (*range(121), 200, 201, 1000, 1001, 10_000, 1_000_000)
# what browsers of people ask for, and what they then read
ASKED = {
    "en-SG": "en",
    "zh-CN": "zh-Hans",
    "zh-SG": "zh-Hans",
    "zh": "zh-Hans",
    "zh-TW": "zh-Hant",
    "zh-HK": "zh-Hant",
    "zh-MO": "zh-Hant",
    "vi-VN": "vi",
    "ko-KR": "ko",
    "de-DE": "en",
}
# a sentence of each language with letters that few fonts have
WRITTEN = {
    "en": "No more bets",
    "zh-Hans": "庄闲赢输边门骰宝",
    "zh-Hant": "莊閒贏輸邊門骰寶曱甴",
    "vi": "Nhà cái thắng, đặt cược ế ữ ỵ ẵ ộ",
    "ko": "뱅커승리플레이어베팅쀍",
}
# how many letters each font of this machine has drawn
_DRAWN_BY = "CSS.getPlatformFontsForNode"


def asks(visit: Visit, tag: str, at: Server) -> Screen:
    """A page in a browser that asks for a language and has chosen none before."""
    context = visit(None, at=at).context
    screen = Screen(context.browser.new_context(locale=tag), at.address)  # type: ignore[union-attr]
    return screen.open("/")


@pytest.fixture(scope="module")
def speaks_chinese(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A floor whose file names two languages, Traditional Chinese first."""
    tables = 'languages = ["zh-Hant", "en"]\n' + table("tiger", GAMES["tiger"])
    server = demonstration(tmp_path_factory.mktemp("chinese"), tables)
    yield server
    server.kill()


@pytest.mark.parametrize("tag", [tag for tag, code in ASKED.items() if code in LANGUAGES])
def test_page_is_in_the_language_that_the_browser_asks_for(visit: Visit, floor: Server, tag: str) -> None:
    screen = asks(visit, tag, floor)
    screen.page.locator(f"html[lang={ASKED[tag]}]").wait_for(state="attached")
    assert screen.page.evaluate("localStorage.getItem('thirdcard-language')") is None, "nobody chose"
    screen.context.close()


def test_floor_offers_its_languages_and_speaks_the_first_to_strangers(
    visit: Visit, speaks_chinese: Server
) -> None:
    for tag, language in {"de-DE": "zh-Hant", "zh-CN": "zh-Hant", "en-GB": "en"}.items():
        screen = asks(visit, tag, speaks_chinese)
        screen.page.locator(f"html[lang={language}]").wait_for(state="attached")
        options = screen.page.locator(".languages option")
        assert [options.nth(at).get_attribute("value") for at in range(options.count())] == ["zh-Hant", "en"]
        screen.context.close()


def test_picker_names_every_language_in_its_own_words_and_says_which_nobody_has_reviewed(
    visit: Visit,
) -> None:
    screen = visit("/")
    screen.page.locator(".languages select").wait_for()
    options = screen.page.locator(".languages option")
    shown = {
        options.nth(at).get_attribute("lang"): options.nth(at).inner_text() for at in range(options.count())
    }
    assert [*shown] == LANGUAGES
    for language in LANGUAGES:
        own = sentences(language)
        note = own.get("language.unreviewed")
        assert shown[language] == own["language.name"] + (f" ({note})" if note else "")
    assert shown["zh-Hant"] == "繁體中文 (尚未經母語者審校)"


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_the_chosen_language_is_loaded(visit: Visit, language: str) -> None:
    screen = visit(None, language=language)
    loaded: list[str] = []
    screen.page.on("response", lambda answer: loaded.append(answer.url.rpartition("/")[2]))
    screen.open("/")
    screen.page.locator(".languages select").wait_for()
    others = [f"{other}-" for other in LANGUAGES if other != language]
    assert [name for name in loaded if name.startswith(f"{language}-")]
    assert [name for name in loaded if name.startswith(tuple(others))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_server_counts_and_writes_numbers_as_the_browser_does(visit: Visit, language: str) -> None:
    page = visit("/").page
    said = page.evaluate(
        "([code, numbers]) => { const rules = new Intl.PluralRules(code);"
        " return [rules.resolvedOptions().pluralCategories, numbers.map(each => rules.select(each)),"
        " new Intl.NumberFormat(code).formatToParts(1.5).find(each => each.type === 'decimal').value] }",
        [language, NUMBERS],
    )
    forms, chosen, mark = said
    assert {*plural_forms(language)} == {*forms}
    assert [plural_form(language, number) for number in NUMBERS] == chosen
    assert DECIMAL_MARKS.get(language, ".") == mark


@pytest.mark.parametrize("language", LANGUAGES)
def test_fonts_of_this_machine_have_every_letter_of_a_language(visit: Visit, language: str) -> None:
    """The stack of fonts draws a sentence with one font of the machine, and leaves no empty box."""
    screen = visit("/", language=language)
    screen.page.locator(".languages select").wait_for()
    screen.page.evaluate(
        "said => { const line = document.createElement('p'); line.id = 'line'; line.textContent = said;"
        " document.body.append(line) }",
        WRITTEN[language],
    )
    asked = screen.context.new_cdp_session(screen.page)
    asked.send("DOM.enable")
    asked.send("CSS.enable")
    root = asked.send("DOM.getDocument")["root"]["nodeId"]
    node = asked.send("DOM.querySelector", {"nodeId": root, "selector": "#line"})["nodeId"]

    def fonts() -> set[str]:
        return {each["familyName"] for each in asked.send(_DRAWN_BY, {"nodeId": node})["fonts"]}

    screen.until(lambda: fonts() != set())
    assert len(fonts()) == 1, fonts()


def test_odds_and_limits_have_the_decimal_mark_of_the_language(visit: Visit) -> None:
    """The Banker wager of Tiger Baccarat pays 0.95 to 1; Vietnamese writes 0,95 and 5.000."""
    for language, odds, most in (("en", "0.95:1", "5,000"), ("vi", "0,95:1", "5.000")):
        screen = visit("/display?table=tiger", language=language)
        screen.says(odds)
        screen.says(most)


def test_language_that_cannot_be_loaded_leaves_the_page_as_it_is(visit: Visit) -> None:
    screen = visit("/")
    screen.says("7 tables")
    screen.expect_error("Failed to load resource|ERR_INTERNET_DISCONNECTED|WebSocket")
    screen.context.set_offline(True)
    screen.page.locator(".languages select").select_option("ko")
    screen.until(lambda: screen.page.locator(".languages select").input_value() == "en")
    assert screen.page.locator("html").get_attribute("lang") == "en"
    assert screen.page.evaluate("localStorage.getItem('thirdcard-language')") == "en"
