"""Sentences by key: parameters are filled in, and a parameter may itself be a key."""

import pytest

from thirdcard.messages import Message, _spoken, knows, message, say, sentences, speaking, spoken_language


def test_a_message_keeps_its_parameters_in_the_order_of_their_names() -> None:
    assert message("step.stands", total=7, hand="@hand.player") == Message(
        "step.stands", (("hand", "@hand.player"), ("total", 7))
    )


def test_parameters_are_filled_in_and_a_key_among_them_is_spoken() -> None:
    assert say(message("step.stands", hand="@hand.banker", total=6)) == "Banker stands on 6."


def test_what_a_person_typed_is_repeated_even_where_it_looks_like_a_key() -> None:
    said = say(message("refusal.stake-not-positive", stake="-5.00", wager="@banker"))
    assert said == "The stake -5.00 on @banker is not above zero. Give a positive amount."


def test_a_sentence_without_parameters_is_said_as_it_stands() -> None:
    assert say(message("call.no-more-bets")) == "No more bets"


def test_a_message_without_its_parameter_is_a_bug() -> None:
    with pytest.raises(KeyError, match="total"):
        say(message("step.stands", hand="@hand.banker"))


def test_a_key_without_sentence_is_a_bug() -> None:
    with pytest.raises(KeyError, match=r"step\.sits"):
        say(message("step.sits"))


def test_a_language_knows_its_own_keys() -> None:
    assert knows("language.name")
    assert not knows("language.colour")


def test_a_language_without_file_knows_nothing() -> None:
    assert not knows("language.name", "tlh")
    assert sentences("tlh") == {}


def test_keys_join_the_sections_of_the_file_with_dots() -> None:
    english = sentences("en")
    assert english["language.name"] == "English"
    assert english["problem.twice.do"] == "Keep one."


def test_everything_is_said_in_the_language_of_the_reader() -> None:
    with speaking("zh-Hans"):
        assert spoken_language() == "zh-Hans"
        assert say(message("hand.player")) == "闲"
        with speaking("no-such-language"):
            assert say(message("hand.player")) == "Player"
        assert say(message("hand.player")) == "闲"
    assert say(message("hand.player")) == "Player"


def test_counted_thing_has_the_form_for_its_number() -> None:
    assert say(message("refusal.burn-was-done", cards=1)) == "1 card of this shoe was burned."
    assert say(message("refusal.burn-was-done", cards=0)) == "0 cards of this shoe were burned."
    assert say(message("refusal.burn-was-done", cards=21)) == "21 cards of this shoe were burned."
    assert say(message("audit.records", records="1")) == "1 record", "a number may be written out"


def test_language_with_one_form_says_it_for_every_number() -> None:
    assert say(message("refusal.burn-was-done", cards=1), "zh-Hans") == "此靴已烧1张牌。"
    assert say(message("refusal.burn-was-done", cards=2), "zh-Hans") == "此靴已烧2张牌。"


def test_sentence_said_in_english_for_want_of_a_translation_has_english_forms() -> None:
    assert (
        say(message("refusal.burn-was-done", cards=1), "tlh-without-file")
        == "1 card of this shoe was burned."
    )


def test_amount_has_the_decimal_mark_of_its_reader() -> None:
    """CLDR: Vietnamese and Indonesian write a comma, English, Chinese and Korean a point."""
    assert _spoken("amount", "1500.50", "vi") == "1500,50"
    assert _spoken("amount", "1500.50", "en") == "1500.50"
    assert _spoken("amount", "1500.50", "ko") == "1500.50"


def test_number_of_a_clause_is_no_amount() -> None:
    assert _spoken("clause", "5.10", "vi") == "5.10"
    assert _spoken("clauses", "7.20", "vi") == "7.20"
    assert _spoken("version", "2.2.13", "vi") == "2.2.13"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("zh-Hans", "Ann 在该处的 大虎 上没有投注。"),
        ("ko", "거기에는 Ann 님의 빅 타이거 베팅이 없습니다."),
        ("en", "Ann has no wager on big-tiger there."),
    ],
)
def test_a_wager_has_its_name_in_the_language_of_the_reader(language: str, said: str) -> None:
    refusal = message("refusal.no-such-wager", patron="Ann", wager="big-tiger")
    assert say(refusal, language) == said
