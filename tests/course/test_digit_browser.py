"""The sheet in a real browser: what is drawn moves the bars, and the numbers are Python's."""

import numpy as np
import pytest
from browser import MISSING, chromium

from course import draw_a_digit
from course.widgets.digit import lines_of, shares_of
from course.widgets.strokes import WAYS, pixels_of

pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)
HOST = "document.querySelector('div[class^=tt]')"
FIND = f"{HOST}.shadowRoot.querySelector"


def network():
    generator = np.random.default_rng(1)
    shapes = [(64, 20), (20,), (20, 10), (10,)]
    return [generator.normal(size=shape).astype(np.float32) * 0.5 for shape in shapes]


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture
def sheet(browser, tmp_path):
    path = tmp_path / "page.html"
    text = "<!doctype html><meta charset=utf-8>" + draw_a_digit(network()).html
    path.write_text(text, encoding="utf-8")
    browser.size(800, 600)
    browser.open(path)
    browser.wait_for(f"return {HOST}.answer")
    browser.errors()
    yield browser
    assert browser.errors() == []


def answer_to(browser, act):
    """What the network answers after something was done, and not to what was done before."""
    act()
    browser.wait_for_drawing()
    found = browser.run(f"return {HOST}.answer")
    return np.array(found["pixels"]), np.array(found["shares"])


@pytest.mark.parametrize("digit", range(10))
def test_pixels_and_shares_are_those_of_python(sheet, digit):
    sheet.run(f"{FIND}('canvas').focus()")
    pixels, shares = answer_to(sheet, lambda: sheet.press(str(digit)))
    lines = [np.array(line) for line in lines_of(WAYS[digit][0])]
    assert np.abs(pixels - pixels_of(lines)).sum() <= 4  # points that are as far as the last one
    assert np.allclose(shares, shares_of(network(), pixels), atol=1e-6)


@pytest.mark.parametrize("kind", ["mouse", "touch", "pen"])
def test_a_stroke_moves_the_bars(sheet, kind):
    box = sheet.run(f"return {FIND}('canvas').getBoundingClientRect().toJSON()")
    before = sheet.run(f"return {FIND}('.bars').textContent")
    points = [
        (box["x"] + box["width"] / 2, box["y"] + box["height"] * k / 10) for k in range(1, 10)
    ]
    pixels, _ = answer_to(sheet, lambda: sheet.draw(points, kind))
    assert sheet.run(f"return {FIND}('.bars').textContent") != before
    said = sheet.run(f"return {FIND}('output').textContent")
    assert said.startswith("your network reads a ")
    pixels = pixels.reshape(8, 8)
    assert (pixels[1:7, 3:5] == 16).all()  # an upright line
    assert not pixels[:, [0, 1, 6, 7]].any()


def test_clear_by_keyboard(sheet):
    pixels, _ = answer_to(sheet, lambda: sheet.press("tab", "7", "tab"))
    assert pixels.sum() > 0
    focused = f"return {HOST}.shadowRoot.activeElement.textContent"
    assert sheet.run(focused) == "clear"
    pixels, _ = answer_to(sheet, lambda: sheet.press(" "))
    assert pixels.sum() == 0
    assert sheet.run(f"return {FIND}('output').textContent").startswith("draw a digit")


def test_it_fits_a_phone(sheet):
    sheet.size(390, 800)
    assert sheet.run("return document.documentElement.scrollWidth") <= 390


def test_no_key_gets_out(sheet):
    sheet.run("keys = 0; addEventListener('keydown', () => keys++)")
    sheet.press("tab", "d", "d", "5")
    assert sheet.run("return keys") == 1  # the tab came from outside
