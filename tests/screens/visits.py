"""People who come with browsers of their own: signed in or not, in a size, a light and a language."""

from playwright.sync_api import Browser, StorageState
from screens.browser import NOTES_ARE_KEPT, WIDTHS, Screen
from server.served import Server

# what a browser of people who read a language asks for
LOCALES = {"en": "en-SG", "zh-Hans": "zh-CN", "zh-Hant": "zh-HK", "vi": "vi-VN", "ko": "ko-KR"}


class Sessions:
    """Signs somebody of a demonstration floor in, once: a code is good for one sign-in only."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        # by the server, not by its address: a later one may listen at the port of one that is gone
        self._kept: dict[tuple[Server, str], StorageState] = {}

    def __call__(self, server: Server, name: str) -> StorageState:
        """The state that the browser of a signed-in person keeps."""
        if (server, name) not in self._kept:
            screen = Screen(self.browser.new_context(), server.address)
            person = next(each for each in screen.ask("/demo")["people"] if each["name"] == name)
            credentials = {field: person[field] for field in ("name", "password", "code")}
            answer = screen.ask("/sign-in", "staff", {"credentials": credentials})
            assert answer.get("kind") == "staff", answer
            self._kept[server, name] = screen.context.storage_state()
            screen.context.close()
        return self._kept[server, name]


class Visits:
    """Everybody who came, until all of them go."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._screens: list[Screen] = []

    def come(
        self,
        server: Server,
        path: str | None = "/",
        *,
        size: tuple[int, int] = WIDTHS["desk"],
        language: str = "en",
        room: str = "light",
        touch: bool = False,
        post: str | None = None,
    ) -> Screen:
        """Open a page for somebody, or none; ``post`` is the post that they are signed in as, if any."""
        context = self._sessions.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=LOCALES.get(language, language),
            color_scheme="dark" if room == "dim" else "light",
            reduced_motion="reduce",
            has_touch=touch,
            storage_state=self._sessions(server, post) if post else None,
        )
        context.add_init_script(
            f"try {{ localStorage.setItem('thirdcard-language', '{language}');"
            f" localStorage.setItem('thirdcard-room', '{room}') }} catch {{}}"
        )
        context.add_init_script(NOTES_ARE_KEPT)
        screen = Screen(context, server.address)
        self._screens.append(screen)
        return screen if path is None else screen.open(path)

    def go(self) -> dict[str, list[str]]:
        """Close every browser; what they complained about."""
        complaints = {screen.page.url: screen.unexpected for screen in self._screens if screen.unexpected}
        for screen in self._screens:
            screen.context.close()
        self._screens.clear()
        return complaints
