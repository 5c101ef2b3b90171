"""Programs under test start with default signal handling, however the tests were started."""

import signal

OFTEN_IGNORED = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP)


def start_programs_with_default_signals() -> None:
    """Catch every signal that is ignored, and do nothing about it.

    A background job of a shell or of a CI service is often started with SIGINT ignored, and so would be every
    program that it starts. A signal that is caught is as good as ignored here, but is reset to its default
    when a program is started.
    """
    for number in OFTEN_IGNORED:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda _number, _frame: None)
