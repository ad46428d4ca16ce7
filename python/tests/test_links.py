"""The checker of links: it finds what is wrong, and the pages of the repository have nothing wrong."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def faults(*arguments):
    run = subprocess.run([sys.executable, ROOT / "scripts" / "check-links", *arguments], capture_output=True, text=True)
    assert run.stderr == "" and run.returncode == bool(run.stdout)
    return run.stdout.splitlines()


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="the files of the repository are listed by git")
def test_links_between_the_pages_of_the_repository_lead_somewhere():
    assert faults() == []


def test_links_of_markdown_that_lead_nowhere_are_found(tmp_path):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "good.md").write_text("# A `title`, (twice)\n# One\n# One\n```\n# no heading\n[no](link.md)\n```\n`[x](y.md)`\n")
    (tmp_path / "bad.md").write_text(
        "[a](good.md) [b](good.md#a-title-twice) [c](good.md#one-1) [d](https://example.org/) [e](#here)\n# Here\n"
        "[f](gone.md) [g](good.md#no-heading) [h](#there) ![i](gone.png)\n"
    )
    assert faults("--root", tmp_path) == [
        "bad.md: there is no gone.md",
        "bad.md: good.md has no heading #no-heading",
        "bad.md: bad.md has no heading #there",
        "bad.md: there is no gone.png",
    ]


def site(folder, body, style=""):
    (folder / "_static").mkdir()
    (folder / "_static" / "site.css").write_text("a { background: url(data:,) } " + style)
    head = '<html><head><link rel="stylesheet" href="_static/site.css"><link rel="icon" href="data:,"></head><body>'
    (folder / "other.html").write_text(head + '<p id="here">text</p></body></html>')
    (folder / "page.html").write_text(head + body + "</body></html>")


needs_chromium = pytest.mark.skipif(not shutil.which("chromium-headless-shell"), reason="needs Chromium")


@needs_chromium
def test_a_site_without_a_fault_has_none(tmp_path):
    site(tmp_path, '<a href="other.html#here">a</a> <a href="https://example.org">b</a> <a href="other.html">c</a>')
    (tmp_path / "page.html").rename(tmp_path / "index.html")
    assert faults("--site", tmp_path, "--pictures", tmp_path / "pictures") == []
    pictures = {file.name: file.read_bytes() for file in (tmp_path / "pictures").iterdir()}
    assert sorted(pictures) == ["index-dark.png", "index-light.png", "index-narrow.png"]
    width = {name: int.from_bytes(png[16:20], "big") for name, png in pictures.items() if png[:4] == b"\x89PNG"}
    assert width == {"index-dark.png": 1280, "index-light.png": 1280, "index-narrow.png": 420}


@needs_chromium
def test_faults_of_a_site_are_found(tmp_path):
    repository = "https://github.com/linkgistic/linkgistic/blob/main/"
    body = (
        '<a href="gone.html">a</a> <a href="other.html#there">b</a> <script src="https://cdn.example.org/x.js"></script>'
        f'<img src="gone.png"> <a href="{repository}README.md#x">c</a> <a href="{repository}gone.md">d</a>'
    )
    site(tmp_path, body, "@font-face { src: url('https://fonts.example.org/x.woff') }")
    assert faults("--site", tmp_path) == [
        "page.html: there is no gone.html",
        "page.html: other.html has no place #there",
        f"page.html: the repository has no {repository}gone.md",
        "page.html: it loads https://cdn.example.org/x.js",
        "page.html: there is no gone.png",
        "_static/site.css: it loads https://fonts.example.org/x.woff",
    ]


@needs_chromium
def test_formulas_that_nothing_sets_are_found(tmp_path):
    site(tmp_path, '<span class="math">\\(x\\)</span><script>throw new Error("bad luck")</script>')
    found = faults("--site", tmp_path)
    assert found[-1] == "page.html: its formulas were not set" and "bad luck" in found[0]


@needs_chromium
def test_a_search_that_finds_nothing_is_a_fault(tmp_path):
    site(tmp_path, "")
    (tmp_path / "search.html").write_text('<link rel="icon" href="data:,"><ul class="search"></ul>')
    assert faults("--site", tmp_path) == ["search.html: it does not find the page on calibration"]
