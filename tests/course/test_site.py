"""The book's pages say what the notebooks say, and give no answer away before it is asked for."""

import os
import re
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from browser import MISSING, chromium

from course.manifest import all_chapters, load_chapter
from course.modules import definitions, solution_of
from course.paths import ROOT
from course.site import build, changes, chapters, reference

AXE = find_spec("axe_core_python")
LOOKS = ("light", 390), ("dark", 1200)
EVERY_KIND = (  # of page
    *("site/index", "site/search", "site/teaching", "systems/tape"),
    *("chapters/03_backward", "changes/03_backward", "reference/tinytorch.modes"),
)
JUDGE = """
for (const fold of document.querySelectorAll("details")) fold.open = true;
await new Promise((done) => setTimeout(done, 50));
while (document.getAnimations().length) await new Promise(requestAnimationFrame);
const seen = new Set();  // one word of each colour, on each ground, says it for all of the code
for (const word of document.querySelectorAll(".highlight span[class]")) {
  const kind = `${word.className} ${getComputedStyle(word.closest("pre")).backgroundColor}`;
  if (seen.has(kind)) word.replaceWith(word.textContent);
  seen.add(kind);
}
document.body.normalize();
const { violations } = await axe.run({ resultTypes: ["violations"] });
return violations.filter((found) => ["serious", "critical"].includes(found.impact))
  .map((found) => [found.id, found.help, found.nodes.map((node) => node.html)]);
"""


@pytest.fixture(scope="module", params=[3, 8], ids=["Part I", "Part II"])
def chapter(request):
    return load_chapter(request.param)


@pytest.fixture(scope="module")
def cells(chapter):
    return chapters.page(chapter)["cells"]


def markdown(cells):
    return "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")


def test_each_exercise_has_its_name_its_docstring_its_hints_and_its_answer(chapter, cells):
    text = markdown(cells)
    for exercise in chapter.exercises:
        assert f"(exercise-{exercise.id.replace('.', '-')})=\n### Exercise {exercise.id}" in text
        for hint in exercise.hints:
            assert hint in text
        assert exercise.reason in text


def test_no_answer_stands_in_the_open(chapter, cells):
    text = re.sub(r"^(:{3,4})\{dropdown\}.*?^\1$", "", markdown(cells), flags=re.M | re.S)
    answers = definitions(solution_of(chapter))
    for exercise in chapter.exercises:
        for name in exercise.names:
            body = answers[name].text.splitlines()[-1]
            assert answers[name].text.rstrip() not in text
            assert f"{body}\n```" not in text


def test_every_picture_has_a_text_for_those_who_do_not_see_it(cells):
    for cell in cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data and "text/html" not in data:
                alt = cell["metadata"]["mystnb"]["image"]["alt"]
                assert alt.startswith("Picture: ")


def test_no_link_leads_to_a_file_of_the_students(cells):
    assert not re.search(r"\]\([^)]*\.py\)", markdown(cells))


def test_a_page_of_changes_counts_what_it_shows():
    before, chapter = load_chapter(4), load_chapter(5)
    page = changes.page(before, chapter)
    added, gone = map(int, re.search(r"(\d+) lines come, (\d+) go", page).groups())
    lines = page.splitlines()
    assert sum(line.startswith("+") and line[:3] != "+++" for line in lines) == added > 0
    assert sum(line.startswith("-") and line[:3] != "---" for line in lines) == gone > 0


def test_each_public_name_is_described_once():
    pages = reference.pages()
    described = re.findall(r"^\.\. auto\w+:: (\S+)$", "\n".join(pages.values()), re.MULTILINE)
    assert len(described) == len(set(described)) > 500
    assert "tinytorch.Tensor" in described and "tinytorch.nn.Linear" in described
    assert "`Tensor` ([tinytorch](tinytorch))" in pages["tinytorch.func"]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The book, with two pages of the reference in place of all: {path: text} of its pages."""
    folder = one_for_all_workers(tmp_path_factory, "site", build_small)
    return {path: path.read_text("utf-8") for path in sorted(folder.resolve().rglob("*.html"))}


def build_small(folder):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference, "MODULES", ("tinytorch.func", "tinytorch.modes"))
        build.build(folder)


def one_for_all_workers(tmp_path_factory, name, make):
    """A folder that the first of pytest-xdist's workers makes; the others wait for it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, done, failed = (shared / f"{name}{ending}" for ending in ("", "-done", "-failed"))
    try:
        (shared / f"{name}-started").mkdir()
    except FileExistsError:
        while not done.exists() and not failed.exists():
            time.sleep(0.1)
        assert done.exists(), f"another worker could not make {folder}"
        return folder
    try:
        make(folder)
    except BaseException:
        failed.touch()
        raise
    done.touch()
    return folder


@pytest.mark.skipif(os.name == "nt", reason="a signal can't be sent there")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_build_says_how_much_there_is_and_leaves_nothing_behind_when_it_is_stopped(
    tmp_path, sent
):
    code = "from course.site.build import build; from pathlib import Path; build(Path('never'))"
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    said = ""
    while not said.endswith(" .."):  # two pages are read
        said += process.stdout.read(1) or pytest.fail(process.stderr.read())
    process.send_signal(sent)
    assert process.communicate(timeout=60)[1].endswith("\nKeyboardInterrupt\n")
    assert re.match(r"Building \d+ pages and those of .*; this takes some minutes \.", said)
    assert [*tmp_path.iterdir()] == [] and not (ROOT / "never").exists()


def named(site, name):
    return next(path for path in site if path.as_posix().endswith(f"/{name}.html"))


def test_nothing_is_fetched_from_elsewhere(site):
    fetched = re.compile(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=\"(https?://[^\"]*)")
    assert [found for text in site.values() for found in fetched.findall(text)] == []


def test_the_map_leads_to_every_exercise(site):
    text = site[named(site, "map")]
    for chapter in all_chapters():
        for exercise in chapter.exercises:
            anchor = f"exercise-{exercise.id.replace('.', '-')}"
            assert f'chapters/{chapter.slug}.html#{anchor}"' in text
            assert f'id="{anchor}"' in site[named(site, f"chapters/{chapter.slug}")]


def test_links_lead_somewhere(site):
    places = {path: set(re.findall(r'\bid="([^"]+)"', text)) for path, text in site.items()}
    for path, text in site.items():
        for link in re.findall(r'<a [^>]*href="([^":?]+)"', text):
            name, _, place = unquote(link).partition("#")
            target = (path.parent / name).resolve() if name else path
            assert target.exists(), f"{path.name}: {link}"
            assert not place or place in places[target], f"{path.name}: {link}"


@pytest.mark.skipif(bool(MISSING), reason=MISSING)
def test_pages_open_without_an_error_and_are_no_wider_than_the_window(site):
    with chromium() as browser:
        for path in site:
            if path.parent.name in ("site", "chapters", "systems", "reference"):
                browser.open(path)
                for scheme, width in LOOKS:
                    browser.media(prefers_color_scheme=scheme)
                    browser.size(width)
                    wide = browser.run("return document.documentElement.scrollWidth")
                    assert wide <= width, f"{path.name} is {wide} pixels wide"
                assert browser.errors() == [], path.name


@pytest.mark.skipif(bool(MISSING), reason=MISSING)
@pytest.mark.skipif(AXE is None, reason="needs axe-core-python")
@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_axe_finds_nothing_serious(site, scheme, width):
    axe = Path(AXE.origin).with_name("axe.min.js").read_text("utf-8")
    with chromium() as browser:
        browser.media(prefers_color_scheme=scheme)
        browser.size(width)
        for name in EVERY_KIND:
            browser.open(named(site, name))
            assert browser.errors() == [], name
            browser.run(axe)
            assert browser.run(JUDGE) == [], name


@pytest.mark.skipif(bool(MISSING), reason=MISSING)
def test_search_finds_functions_and_ideas(site):
    hits = "return [...document.querySelectorAll('ul.search > li > a')].map((a) => a.href).join()"
    finished = "return document.querySelector('.search-summary')?.innerText.includes('finished')"
    with chromium() as browser:
        for words, page in {
            "tinytorch.func.vmap": "reference/tinytorch.func.html#tinytorch.func.vmap",
            "log_softmax": "chapters/04_broadcasting",
            "gradcheck": "chapters/03_backward",
            "topological order": "chapters/03_backward",
            "retain_graph": "chapters/05_requires_grad",
        }.items():
            browser.open(f"{named(site, 'site/search').as_uri()}?q={quote(words)}")
            browser.wait_for(finished)
            assert page in browser.run(hits), words


@pytest.mark.skipif(bool(MISSING), reason=MISSING)
def test_formulas_and_players_work_without_a_kernel_and_without_a_network(site):
    with chromium() as browser:
        browser.cdp("Network.enable")
        browser.cdp("Network.setBlockedURLs", urls=["http://*", "https://*"])
        browser.open(named(site, "chapters/03_backward"))
        browser.wait_for("return document.querySelector('mjx-container svg')")
        live = "return document.querySelector('div[class^=tt]')?.shadowRoot?.querySelector('input')"
        browser.wait_for(live)
        find = "const field = document.querySelector('div[class^=tt]').shadowRoot"
        browser.run(f"{find}.querySelector('input'); field.focus(); field.scrollIntoView()")
        before = browser.run(f"{find}.querySelector('input'); return field.value")
        browser.press("right")
        after = browser.run(f"{find}.querySelector('input'); return field.value")
        assert int(after) == int(before) + 1


def test_what_a_page_of_a_system_names_is_there_in_the_course():
    exercises = {e.id: e for chapter in all_chapters() for e in chapter.exercises}
    text = "".join(page.read_text("utf-8") for page in (build.HERE / "pages/systems").iterdir())
    named = re.findall(r"exercise (\d+\.\d+), `(\w+)`", text)
    assert len(named) > 15
    for id, name in named:
        assert any(name in own.split(".") for own in exercises[id].names), (id, name)


def test_docstrings_mean_what_they_say():
    lines = ["|x| * 2 of *args", "I. Newton, 1687.", "", ">>> a * b | c", "I. stays", "", "a*b"]
    reference.plain(None, None, None, None, None, lines)
    assert lines[:2] == [r"\|x\| \* 2 of \*args", r"\I. Newton, 1687."]
    assert lines[3:] == [">>> a * b | c", "I. stays", "", r"a\*b"]
