"""The player in a real browser: keys, button, slider, two in one page, light, dark, narrow."""

import pytest
from browser import MISSING, chromium

from course import play, plots

pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)

STATE = """
const hosts = [...document.querySelectorAll("div[class^=tt]")];
return hosts.map(host => {
  const find = name => host.shadowRoot.querySelector(name), k = +find("input").value;
  return {frame: k, text: find(".picture").textContent.includes("frame " + k),
          count: find("small").textContent, said: find("output").textContent,
          play: find(".play").textContent, hidden: find(".play").hidden};
});
"""
READY = 'return [...document.querySelectorAll("div[class^=tt]")].every(e => e.%s)'
LIVE = READY % 'shadowRoot?.querySelector(".picture svg")'


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Two players between paragraphs; the page counts the keys that get out of them."""
    players = [
        play([plots.plot_losses([3, 2, k], title=f"frame {k}") for k in range(count)])
        for count in (4, 3)
    ]
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(
        "<!doctype html><meta charset=utf-8><p>above</p>"
        + "<p>between</p>".join(player.html for player in players)
        + "<script>keys = 0; addEventListener('keydown', () => keys++)</script>",
        encoding="utf-8",
    )
    return path


@pytest.fixture
def opened(browser, page):
    browser.media(prefers_color_scheme="light", prefers_reduced_motion="no-preference")
    browser.size(800, 1200)
    browser.open(page)
    browser.wait_for(LIVE)
    browser.errors()
    yield browser
    assert browser.errors() == []


def state(browser, k=0):
    return browser.run(STATE)[k]


def focus(browser, name, k=0):
    script = "document.querySelectorAll('div[class^=tt]')[arguments[1]].shadowRoot"
    browser.run(f"{script}.querySelector(arguments[0]).focus()", name, k)


def test_it_begins_with_the_first_frame_and_does_not_move(opened):
    assert state(opened) == {
        "frame": 0, "text": True, "count": "1 / 4", "said": "frame 0", "play": "play",
        "hidden": False,
    }  # fmt: skip


@pytest.mark.parametrize("place", ["input", ".play", "button"])
def test_keys_step_from_wherever_the_focus_is(opened, place):
    focus(opened, place)
    seen = []
    for key in ("right", "right", "left", "end", "right", "home", "left"):
        opened.press(key)
        seen.append(state(opened)["frame"])
    assert seen == [1, 2, 1, 3, 3, 0, 0]
    assert state(opened)["text"]


def test_tab_reaches_every_part_in_order(opened):
    parts = []
    for _ in range(5):
        opened.press("tab")
        parts.append(opened.run(
            "const e = document.activeElement?.shadowRoot?.activeElement;"
            "return e && (e.getAttribute('aria-label') || e.textContent)"
        ))  # fmt: skip
    assert parts == ["one frame back", "play", "one frame on", "frame", "one frame back"]


def test_the_focus_is_seen(opened):
    opened.press("tab")
    outline = "return getComputedStyle(%s).outlineStyle"
    element = "document.activeElement.shadowRoot.activeElement"
    assert opened.run(outline % element) == "solid"


def test_space_plays_to_the_end_and_stops_there(opened):
    focus(opened, "input")
    opened.press(" ")
    assert state(opened)["play"] == "pause"
    opened.wait_for(f"return (() => {{{STATE}}})()[0].frame === 3")
    assert state(opened)["play"] == "play"


def test_the_button_pauses_and_goes_on(opened):
    opened.run("setInterval = tick => { window.tick = tick; return 1 }")  # a clock that we turn
    focus(opened, ".play")
    for frame in (1, 2):
        opened.press(" ")
        assert state(opened)["play"] == "pause"
        opened.run("tick()")
        opened.press(" ")
        assert state(opened)["play"] == "play" and state(opened)["frame"] == frame


def test_players_do_not_disturb_each_other(opened):
    focus(opened, "input", 1)
    opened.press("right", "right")
    assert [s["frame"] for s in opened.run(STATE)] == [0, 2]


def test_no_key_gets_out(opened):
    focus(opened, "input")
    opened.press("d", "d", "right", " ", "x")
    assert opened.run("return keys") == 0
    host = "document.querySelector('div[class^=tt]')"
    assert opened.run(f"return {host}.getAttribute('data-lm-suppress-shortcuts')") == "true"


def test_a_player_that_is_taken_off_stops_and_can_come_back(opened):
    focus(opened, "input")
    opened.press(" ")
    host = "document.querySelector('div[class^=tt]')"
    opened.run(f"kept = {host}; place = kept.nextSibling; kept.remove()")
    opened.wait_for("return kept.shadowRoot.querySelector('.play').textContent === 'play'")
    opened.run("place.before(kept)")
    focus(opened, "input")
    opened.press("end")
    assert state(opened)["frame"] == 3


def test_a_script_that_runs_twice_fills_nothing_twice(opened):
    opened.run("""
        const old = document.querySelector("script"), again = document.createElement("script");
        again.textContent = old.textContent;
        old.replaceWith(again);""")
    root = "document.querySelector('div[class^=tt]').shadowRoot"
    assert opened.run(f"return {root}.querySelectorAll('.live').length") == 1


def test_with_reduced_motion_it_steps_and_does_not_play(opened):
    opened.media(prefers_reduced_motion="reduce")
    opened.wait_for(f"return (() => {{{STATE}}})()[0].hidden")
    focus(opened, "input")
    opened.press(" ", "right")
    assert state(opened)["frame"] == 1 and state(opened)["play"] == "play"


def test_it_fits_a_phone(opened):
    opened.size(390, 800)
    assert opened.run("return document.documentElement.scrollWidth") <= 390
    buttons = opened.run(
        "return [...document.querySelector('div[class^=tt]').shadowRoot.querySelectorAll('button')]"
        ".map(b => b.getBoundingClientRect().height)"
    )
    assert min(buttons) >= 36  # for a finger


def test_colours_follow_the_page(opened):
    ink = (
        "const host = document.querySelector('div[class^=tt]');"
        "return getComputedStyle(host.shadowRoot.querySelector('.live')).color"
    )
    assert opened.run(ink) == "rgb(43, 43, 43)"
    opened.run("document.body.style.cssText = 'background: #111; color: #EEE'")
    opened.wait_for(f"return (() => {{{ink}}})() === 'rgb(230, 230, 230)'")


def test_print_shows_the_strip(opened):
    shown = (
        "const host = document.querySelector('div[class^=tt]'), seen = e => e.checkVisibility();"
        "return [seen(host.querySelector('img')), seen(host.shadowRoot.querySelector('.live'))]"
    )
    assert opened.run(shown) == [False, True]
    opened.cdp("Emulation.setEmulatedMedia", media="print")
    assert opened.run(shown) == [True, False]
    opened.cdp("Emulation.setEmulatedMedia", media="")


def test_without_scripts_the_strip_is_there(browser, page):
    browser.cdp("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(page)
    tree = browser.cdp("DOM.getDocument", depth=-1, pierce=True)
    browser.cdp("Emulation.setScriptExecutionDisabled", value=False)
    assert "shadowRoots" not in str(tree) and "<img" not in str(tree)
    assert "'nodeName': 'IMG'" in str(tree)
