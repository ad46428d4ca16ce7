"""The documentation site: `make docs` builds it from these pages, the docstrings and examples/python/."""

import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "python"))

import linkgistic  # noqa: E402

project = "Linkgistic"
version = release = linkgistic.__version__
html_title = f"Linkgistic {version}"
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False

# Sphinx marks formulas for MathJax and loads this script where there are any; it sets them with KaTeX, of the Debian
# package libjs-katex, which is copied into the site: a reader needs no other server.
KATEX = Path("/usr/share/javascript/katex")
mathjax_path = "mathematics.js"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx.ext.napoleon", "sphinx_gallery.gen_gallery"]
exclude_patterns = ["_build"]
default_role = "py:obj"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3

sphinx_gallery_conf = {
    "examples_dirs": str(ROOT / "examples" / "python"),
    "gallery_dirs": "tutorials",
    "show_memory": False,
    "show_signature": False,
    "download_all_examples": False,
    "abort_on_example_error": True,
    "write_computation_times": False,  # a page that loads scripts from other servers
    "within_subsection_order": "ExampleTitleSortKey",
}

REPOSITORY = "https://github.com/linkgistic/linkgistic/blob/main/"


def link_to_repository(app, docname, source):
    """Files outside of docs/ are not on the site: their links lead to the repository."""
    source[0] = re.sub(r"\]\(\.\./", f"]({REPOSITORY}", source[0])


def copy_katex(app, exception):
    if exception is None and app.builder.format == "html":
        folder = Path(app.outdir) / "_static" / "katex"
        shutil.copytree(KATEX, folder, dirs_exist_ok=True)
        shutil.copy("/usr/share/doc/libjs-katex/copyright", folder)


def setup(app):
    app.connect("source-read", link_to_repository)
    app.connect("build-finished", copy_katex)
