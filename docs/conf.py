"""How the site is built: `make docs`. site_parts.py has what is made from hierq itself."""

import hashlib
import sys
from pathlib import Path

DOCS = Path(__file__).parent
SOURCE = DOCS.parent / "src"
sys.path.insert(0, str(DOCS))

project = "hierq"
html_title = "hierq"
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx_design",
    "site_parts",
]
exclude_patterns = ["_build", "**.ipynb_checkpoints"]
autosummary_generate = False  # the pages of the reference are written by hand; only their summaries are made
nitpicky = True
# Types of other packages, and those that have no page of their own.
nitpick_ignore_regex = [("py:.*", r"(?!hierq\.[A-Za-z_]+$).*")]

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
myst_links_external_new_tab = True

autodoc_member_order = "bysource"
napoleon_numpy_docstring = False
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 100  # longer ones have a line for each parameter
default_role = "code"

# What a notebook prints depends on hierq, too: its results are kept for this version of the sources only.
version_of_sources = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(SOURCE.rglob("*.py")))).hexdigest()
nb_execution_mode = "cache"
nb_execution_cache_path = str(DOCS.parent / "build" / "notebooks" / version_of_sources[:16])
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"
nb_output_stderr = "remove"  # that kernels are being compiled
nb_render_image_options = {"align": "center"}

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_favicon = "../src/hierq/lab/page/icon.svg"
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_show_search_summary = False  # it would have to be fetched, which pages opened as files may not
html_theme_options = {"navigation_with_keys": True}
html_math_renderer = "mathml"
