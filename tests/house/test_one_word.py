"""One word for one thing on the screens and at the command line, and second words that neither says."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
LANGUAGES = ("en", "ko", "vi", "zh-Hans", "zh-Hant")
# second words by the word of docs/glossary.md that stands for them
SECOND_WORDS = {
    "en": {
        "wager": r"\bbets?\b",
        "patron": r"\bguests?\b|\bcustomers?\b|\bpunters?\b|\bplayers\b|\bgamblers?\b",
        "push": r"\bstood off\b|\bstands? off\b|\bstand-off\b",
        "round": r"\bcoups?\b",
        "scoreboard": r"\ba display\b|\bthis display\b|\bthe display\b",
        "closed": r"\bis shut\b|^shut$",
        "smallest unit": r"\bsmallest coin\b",
    },
    "zh-Hans": {
        "客人": "顾客|玩家|赌客",
        "余额": "额度",
        "路单": "记分牌|记分屏|计分板|牌路|显示屏",
        "赌桌": "牌桌|牌台",
        "员工": "工作人员|职员",
        "荷官台": "荷官控制台",
        "发牌器": "发牌装置|发牌盒|发牌设备",
        "烧牌": "销牌|销去",
        "职位": "职务",
    },
    "zh-Hant": {
        "客人": "顧客|玩家|賭客",
        "餘額": "額度",
        "路單": "記分牌|記分屏|計分板|牌路|顯示屏",
        "賭桌": "牌桌|牌台",
        "員工": "工作人員|職員",
        "荷官台": "荷官控制台",
        "飛牌": "免費局|免費牌|免注局",
        "瞇牌": "眯牌|搓牌",
        "燒牌": "銷牌|飛掉",
        "例牌": "天牌",
        "派彩": "賠付",
        "投注": "下注|押注",
        "終端機": "終端(?!機)",
        "發牌器": "發牌裝置|發牌設備|發牌盒",
        "職位": "職務|崗",
    },
    "ko": {
        "고객": "손님|이용자|도박꾼",
        "베팅": "배팅|내기|벳",
        "타이": "무승부|비김",
        "푸시": "스탠드 ?오프",
        "스코어보드": "전광판|점수판|상황판",
        "버닝": r"(?<![}\d])번 카드|소각",
        "커팅 카드": "컷 ?카드|커트 카드",
        "캐시아웃": "환전|출금",
        "서베일런스": "감시실|모니터실",
        "핏": "피트",
        "딜링 기기": "딜링 장치",
    },
    "vi": {
        "khách": "người chơi|khách hàng|con bạc",
        "ván": "vòng cược|hiệp",
        "bảng kết quả": "bảng điểm",
        "đốt bài": "hủy lá|bỏ bài đốt",
        "phòng camera": "phòng giám sát|bộ phận giám sát",
        "số dư": "tín dụng",
        "Dealer": "người chia bài|nhân viên chia bài",
        "chip": "phỉnh",
        "nặn bài": "bóp bài|hé bài",
        "hoàn cược": "hòa tiền|hoàn tiền",
        "máy cược": "thiết bị đầu cuối|trạm cược",
        "hộp chia bài": "thiết bị chia bài|máy chia bài",
    },
}
# the Dealer's calls are the document's words, on the screens as well
CALLS = re.compile(
    r"(Place your bets|No more bets?|Last bets|Bets are (open|closed))(, please)?", re.IGNORECASE
)
# what a rule says, and what came of it by its clause, is told in the words of the document
OF_THE_DOCUMENT = ("rule.", "show.", "event.")


def sentences(language: str) -> Iterator[tuple[str, str]]:
    """Return each sentence of the screens and of the server with its key."""
    screens = ROOT / "screens" / "src" / "languages" / f"{language}.json"
    server = ROOT / "src" / "thirdcard" / "languages" / f"{language}.toml"
    yield from _leaves("", json.loads(screens.read_text("utf-8")))
    yield from _leaves("", tomllib.loads(server.read_text("utf-8")))


def _leaves(name: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(f"{name}.{key}" if name else key, inner)
    else:
        yield name, str(value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_has_a_second_word_for_one_thing(language: str) -> None:
    found = [
        (name, word, text)
        for name, text in sentences(language)
        for word, second in SECOND_WORDS[language].items()
        if not name.startswith(OF_THE_DOCUMENT) and re.search(second, CALLS.sub("", text), re.IGNORECASE)
    ]
    assert found == []
