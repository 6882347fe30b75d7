"""play(): one self-contained piece of HTML, the same each time, of a size that a notebook bears."""

import base64
import io
import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
from pictures import build
from PIL import Image

from course import play, plots, step_through
from course.notebooks.outputs import cleaned, difference
from course.widgets.stills import small_png
from course.widgets.svg import svg_of
from course.widgets.widget import LIMIT

X = np.linspace(-1, 1, 9)


def pictures(count=3):
    return [plots.plot_losses([3, 2, k], title=f"frame {k}") for k in range(count)]


def small_figures(count):
    for k in range(count):
        figure, axes = plt.subplots(figsize=(3, 2))
        axes.plot(X, X**k)
        axes.set_title(f"power {k}")
        yield figure


def noisy_figures(count, size):
    generator = np.random.default_rng(0)
    for _ in range(count):
        figure, axes = plt.subplots(figsize=(size, size))
        axes.imshow(generator.random((300, 300)), cmap="gray")
        yield figure


def mime(widget):
    return widget._repr_mimebundle_()[0]


def test_it_has_html_a_png_and_words():
    player = play(pictures(), title="losses fall")
    bundle = mime(player)
    assert set(bundle) == {"text/html", "image/png", "text/plain"}
    assert bundle["text/plain"] == "<Player of 3 pictures: losses fall>"
    assert base64.b64decode(bundle["image/png"]).startswith(b"\x89PNG")
    assert 'alt="Player of 3 pictures: losses fall"' in bundle["text/html"]


def test_what_is_written_in_a_picture_stays_as_it_is():
    said = "loss 0.00358 in #0072B2, sans-serif"
    assert f">{said}<" in svg_of(plots.plot_losses([3, 2], title=said).figure)


def test_the_same_pictures_give_the_same_bytes():
    assert mime(play(pictures())) == mime(play(pictures()))


def test_other_pictures_get_another_mark():
    first, second = [re.search(r"tt-\w+", play(pictures(n)).html)[0] for n in (2, 3)]
    assert first != second


def test_the_html_asks_nothing_of_a_network():
    html = play(pictures()).html
    assert not re.search(r"https?:|src=\"(?!data:)|@import|url\(", html)


def test_where_scripts_are_removed_the_png_stays():
    html = play(pictures()).html
    without = re.sub(r"<script>.*</script>", "", html, flags=re.S)
    assert re.fullmatch(r'<div class="tt-\w+"><img alt="[^"]+" style="[^"]+" src="[^"]+"></div>\s*',
                        without)  # fmt: skip


def test_a_title_cannot_break_out_of_the_html():
    html = play(pictures(), title='"></script><b>').html
    assert "<b>" not in html and html.count("</script>") == 1


def test_the_png_shows_frames_from_the_first_to_the_last():
    tall = Image.open(io.BytesIO(play(pictures(9)).png))
    assert tall.size == (810, 3 * 450)  # one and a half points a pixel
    square = Image.open(io.BytesIO(play(small_figures(9)).png))
    assert square.size == (2 * 324, 2 * 216)  # narrow frames two by two


def test_a_png_of_few_colours_keeps_their_hue():
    share = np.linspace(0, 1, 150)[:, None]
    blue, orange = [share * c + (1 - share) * 255 for c in ([0, 114, 178], [213, 94, 0])]
    colours = np.floor(np.concatenate([blue, orange]))
    image = Image.fromarray(np.uint8(np.tile(colours, (40, 1, 1))))
    small = Image.open(io.BytesIO(small_png(image, 300))).convert("RGB")
    assert abs(np.array(small, int) - colours).max() <= 16  # of 256


def test_step_through_moves():
    root, names = build("two_sums")
    picture = step_through(root, names=names)
    titles = [frame.title for frame in picture.frames()]
    assert titles == [
        "start · e receives 1",
        "1 · × passes 2 to c and 3 to d",
        "2 · + passes 2 to a and 2 to b",
        "3 · b receives 2 + 3 = 5",
    ]
    assert repr(play(picture)) == "<Player of 4 pictures: the backward pass of e>"


def test_a_long_pass_is_played_step_by_step():
    root, names = build("lattice")
    picture = step_through(root, names=names)
    assert len(picture.figure.axes) == 6 and len(picture.frames()) == 16


def test_all_frames_of_a_pass_have_one_size():
    root, names = build("unequal_paths")
    frames = step_through(root, names=names).frames()
    assert len({tuple(frame.figure.get_size_inches()) for frame in frames}) == 1


def test_figures_from_a_generator_are_shown_by_the_player_alone():
    player = play(small_figures(4))
    assert player.says == "Player of 4 pictures: power 0 … power 3"
    assert plt.get_fignums() == []


def test_many_pictures_are_small():
    assert play(pictures(20)).size < 100_000


def test_frames_too_rich_for_svg_become_pngs():
    def clouds():
        generator = np.random.default_rng(0)
        for _ in range(3):
            figure, axes = plt.subplots(figsize=(3, 3))
            axes.plot(*generator.normal(size=(2, 9000)), "o", ms=1)
            yield figure

    assert play(clouds()).size <= LIMIT


def test_too_much_for_a_notebook_is_refused_in_one_line():
    with pytest.raises(ValueError) as refused:
        play(noisy_figures(2, 6))
    assert re.fullmatch(
        r"2 pictures make \d+ kB, a notebook takes 300 kB: take fewer or smaller pictures",
        str(refused.value),
    )


@pytest.mark.parametrize(
    "given, error, says",
    [
        (lambda: [], ValueError, "play needs at least one picture, got none"),
        (lambda: 3, TypeError, r"several pictures, as in play\(\[a, b\]\), got one int"),
        (lambda: pictures(1)[0], TypeError, "several pictures, .* got one Picture"),
        (lambda: next(small_figures(1)), TypeError, "several pictures, .* got one Figure"),
        (lambda: ["a"], TypeError, "a frame is a Picture or a figure .* got one str"),
        (lambda: pictures(1) * 201, ValueError, "at most 200 pictures, got more"),
    ],
)
def test_what_cannot_be_played_is_a_clear_error(given, error, says):
    thing = given()
    plt.close("all")
    with pytest.raises(error, match=says):
        play(thing)


def output_of(widget):
    return {"output_type": "execute_result", "data": mime(widget), "metadata": {}}


def test_a_notebook_is_compared_by_the_png():
    one, same, other = [[output_of(play(pictures(n)))] for n in (2, 2, 3)]
    assert difference(one, same) == ""
    assert "draws a" in difference(one, other)


def test_cleaning_a_notebook_leaves_what_base64_hides():
    payload = base64.b64encode(b"\x01").decode() + "/tmp/0xabcdef12/0x123456+" * 40
    html = f'<img src="data:image/png;base64,{payload}"><p>/tmp/x.py at 0xabcdef12</p>'
    output = {"output_type": "display_data", "data": {"text/html": html}, "metadata": {}}
    (clean,) = cleaned([output], 1, {"/tmp": "."})
    assert clean["data"]["text/html"] == html.replace("/tmp/x.py at 0xabcdef12", "./x.py at 0x…")
