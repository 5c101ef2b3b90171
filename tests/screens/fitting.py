"""How the texts of a page fit, in every language, on small and large screens."""

from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page
from screens.browser import FRAMES, Screen

SIZES = {"phone": (360, 640), "desk": (1280, 800)}
# the lines of text that a person sees, with their elements and boxes; what is turned is laid straight first
_LINES = """const seen = { opacityProperty: true, visibilityProperty: true };
const straight = look => {
  const turned = [...document.querySelectorAll('body *:not(svg *)')]
    .filter(each => Math.abs(new DOMMatrixReadOnly(getComputedStyle(each).transform).b) > 0.001)
    .map(each => [each, each.style.transform]);
  for (const [each] of turned) each.style.transform = 'none';
  try {
    return look(allLines());
  } finally {
    for (const [each, as] of turned) each.style.transform = as;
  }
};
const allLines = () => {
  const lines = [];
  const within = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  const walk = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const own = node.parentElement;
    if (!node.data.trim() || own.closest('svg, select, option, script, style, .unseen')) continue;
    if (!own.checkVisibility(seen)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects())
      if (box.width > 1 && box.height > 1) lines.push({ own, text: node.data.trim(), box });
  }
  return lines;
};
const named = line => `"${line.text.slice(0, 60)}" (${line.own.className || line.own.tagName})`;"""
# what stands beyond the edge of a box that shows nothing there
_CUT = f"""() => {{
  {_LINES}
  const hides = each => each === 'hidden' || each === 'clip';
  const scrolls = each => each === 'auto' || each === 'scroll';
  const cut = ({{ own, box }}) => {{
    let [wide, high] = [true, true];  // what can be scrolled to is not cut by what lies around it
    for (let each = own; each && each !== document.body; each = each.parentElement) {{
      const [of, style, spare] = [each.getBoundingClientRect(), getComputedStyle(each), box.height * 0.2];
      const sideways = box.left < of.left - 1.5 || box.right > of.right + 1.5;
      const upright = box.top + spare < of.top || box.bottom - spare > of.bottom;
      if (wide && hides(style.overflowX) && sideways) return true;
      if (high && hides(style.overflowY) && upright) return true;
      wide &&= !scrolls(style.overflowX);
      high &&= !scrolls(style.overflowY);
    }}
    return false;
  }};
  return straight(lines => lines.filter(cut).map(named));
}}"""
# lines that lie over one another, where neither is hidden behind something on purpose
_OVER = f"""() => {{
  {_LINES}
  const shown = ({{ own, box }}) => {{
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    for (let each = own; each && each !== document.body; each = each.parentElement) {{
      const of = each.getBoundingClientRect();  // what is scrolled away lies over other things unseen
      const clips = getComputedStyle(each).overflow !== 'visible';
      if (clips && (x < of.left || x > of.right || y < of.top || y > of.bottom)) return false;
    }}
    for (const at of document.elementsFromPoint(x, y)) {{
      if (own.contains(at) || at.contains(own)) return true;
      const alpha = /^rgba\\(.*, ([\\d.]+)\\)$/.exec(getComputedStyle(at).backgroundColor)?.[1] ?? 1;
      if (alpha > 0.5) return false;  // hidden behind it on purpose
    }}
    return false;
  }};
  const over = (one, two) => {{
    const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
    const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
    return wide > 2 && high > 0.4 * Math.min(one.height, two.height);
  }};
  return straight(lines => {{
    const found = [];
    const visible = lines.filter(shown);
    visible.forEach((one, at) => {{
      for (const two of visible.slice(at + 1))
        if (one.own !== two.own && over(one.box, two.box)) found.push(`${{named(one)}} and ${{named(two)}}`);
    }});
    return found;
  }});
}}"""
_DRAWN = """async (frames) => {
  const ends = each => each.playState === 'running' && each.effect.getComputedTiming().endTime < Infinity;
  const moves = () => document.getAnimations().some(ends);
  for (let at = 0; at < 2 || (at < frames && moves()); at++) await new Promise(requestAnimationFrame);
}"""
_CHOOSE = """code => {
  const list = document.querySelector('.languages select');
  list.value = code;
  list.dispatchEvent(new Event('change', { bubbles: true }));
}"""


def speak(page: Page, language: str) -> None:
    """Let a page speak a language with all that the server says on it, also where a dialog lies over it."""
    page.locator(".languages select").wait_for(state="attached")
    page.evaluate(_CHOOSE, language)
    page.locator(f"html[lang={language}]").wait_for(state="attached")
    page.locator("[aria-busy=true]").first.wait_for(state="detached")


def misfits(screen: Screen) -> list[str]:
    """Texts of a page that are cut or overlap, and a page that is wider than its window."""
    found = _misfits_now(screen)
    again = _misfits_now(screen) if found else []  # what was only on its way has arrived
    return [each for each in found if each in again]


def _misfits_now(screen: Screen) -> list[str]:
    page = screen.page
    page.evaluate(_DRAWN, FRAMES)
    cut: list[str] = page.evaluate(_CUT)
    over: list[str] = page.evaluate(_OVER)
    wide = ["it is wider than the screen"] if screen.overflows() else []
    return [*wide, *(f"cut: {each}" for each in cut), *(f"overlapping: {each}" for each in over)]


def in_every_language(screen: Screen, languages: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Turn a page to every language at each size, and back; yield the language and the size."""
    page = screen.page
    before = page.viewport_size
    spoken = page.evaluate("document.documentElement.lang")
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for language in languages:
            speak(page, language)
            yield language, name
    speak(page, spoken)
    if before:
        page.set_viewport_size(before)


def picture(screen: Screen, folder: Path, name: str) -> None:
    """Keep a picture of a page."""
    folder.mkdir(parents=True, exist_ok=True)
    screen.page.screenshot(path=str(folder / f"{name}.png"), animations="disabled")
