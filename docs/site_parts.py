"""What the site has beside its pages: references made from hierq itself, findings, the lab's recordings, formulas.

Each is a directive that writes Markdown where it stands: there is one source for what is said, and no generated file.
"""

import contextlib
import dataclasses
import io
import itertools
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from hierq.agents import AgentConfig, Backup, Rival, Traces
from hierq.agents.estimators.operators import OPERATORS
from hierq.agents.estimators.partitions import PARTITIONS
from hierq.agents.explorers import EXPLORERS
from hierq.agents.rivals.rule import RIVALS
from hierq.agents.settings import Setting
from hierq.cli import COMMANDS, main
from hierq.studies.study_file import TABLES

DOCS = Path(__file__).parent
HELP_WIDTH = "76"
# A number with its unit, an interval, or numbers with slashes between them.
NUMBER = re.compile(r"[−+±<>≈]?\.?\d[\d.,]*( ?[%×]| [a-zµ]{1,3})?( [(\[].*[)\]])?( / [\d.,]+)*")

# S_{t+1}, H^a_i and HierQ_k, as docstrings write them.
MAPS = {"signs.png", "generators.png", "worked-example.png", "lab.png", "lab.gif"}
FORMULA = re.compile(
    r"\b(?:Hier[A-Z]+_k|H\^a|max_a|[A-Z](?:\^[a-z])?_(?:\{[^{}]*\}|level|[A-Za-z0-9π]))(?![A-Za-z0-9_])"
)


def pages_as_they_are() -> list[Path]:
    """HTML files that are whole pages already: recordings of the lab, and reports that are not Markdown."""
    return [page for page in sorted(DOCS.glob("*/**/*.html")) if not page.with_suffix(".md").exists()]


def commands() -> list[str]:
    """Every command, with those of two words."""
    return list(COMMANDS)


def help_of(command: str) -> str:
    """What `hierq COMMAND --help` prints."""
    paper = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(paper):
        main([*command.split(), "--help"])
    return paper.buffer.getvalue().decode("utf-8").strip()  # type: ignore[attr-defined]


def command_reference() -> Iterable[str]:
    """A section for every command: its own help."""
    for command in commands():
        yield f"## hierq {command}\n\n```text\n{help_of(command)}\n```\n"


def study_reference() -> Iterable[str]:
    """A row for every key of the table [agent] of a study file, from the declaration of the setting."""
    declared: dict[str, Setting] = {
        **AgentConfig.declared,
        **Backup.declared,
        "updates": Rival.declared["updates"],
    }
    special = {
        "one_step": ("true", "One-step backups, HierQ. This is the default backup."),
        "tree_backup": ("a whole number", "Tree-Backup over so many hops, HierTB(n)."),
        "traces": (_values(Traces.declared["decay"]), "Traces that decay by λ, HierQ(λ)."),
        "operator": (_words(OPERATORS), Backup.declared["operator"].about),
        "hops": (_words(PARTITIONS), Backup.declared["hops"].about),
        "published": ("true, false", "Whether the switches of the published runs hold."),
        "horizons": ("a whole number, or a list of one for each level", AgentConfig.declared["horizons"].about),
        "target": (
            '`"greedy"`, `{ kind = "EpsilonSoft", epsilon = 0.1 }`, `{ kind = "Softmax", temperature = 0.1 }`',
            AgentConfig.declared["target"].about,
        ),
        "explore": (_words(EXPLORERS), AgentConfig.declared["explore"].about),
        "universal_top": ("true, false", AgentConfig.declared["universal_top"].about),
        "rival": (_words(RIVALS), Rival.declared["rule"].about),
    }
    yield "| key | values | default | what it means |\n|---|---|---|---|"
    for key in TABLES["agent"]:
        setting = declared.get(key)
        values, about = special.get(key) or (_values(setting), setting.about)  # type: ignore[arg-type,union-attr]
        yield f"| `{key}` | {values} | {_default(setting)} | {about} |"


def _values(setting: Setting) -> str:
    numbers = []
    if setting.low is not None:
        kind = "a whole number" if setting.is_whole else "a number"
        limits = f"above {setting.low:g}, at most" if setting.is_open else f"from {setting.low:,.15g} to"
        numbers = [f"{kind} {limits} {setting.high:,.15g}"]
    return ", ".join([_words(setting.choices), *numbers] if setting.choices else numbers)


def _words(choices: Iterable[str]) -> str:
    return ", ".join(f'`"{choice}"`' for choice in choices)


def _default(setting: Setting | None) -> str:
    if setting is None or setting.default is dataclasses.MISSING:
        return ""
    return setting.unset or f"`{json.dumps(setting.default)}`"


def findings() -> Iterable[str]:
    """The pages of the investigations, in the site's contents; those that are HTML as yet as links."""
    folders = [DOCS / "reproduction", *sorted((DOCS / "investigations").glob("*/"))]
    written = [folder for folder in folders if (folder / "report.md").exists()]
    pages = [f"/{folder.relative_to(DOCS).as_posix()}/report" for folder in written]
    if (DOCS / "findings.md").exists():
        pages = ["/findings", *pages]
    if pages:
        yield "```{toctree}\n:maxdepth: 1\n\n" + "\n".join(pages) + "\n```\n"
    for folder in folders:
        page = folder / "report.html"
        if folder not in written and page.exists():
            yield f"- [{folder.name.capitalize()}](../{page.relative_to(DOCS).as_posix()}), a page of its own"


def tour() -> Iterable[str]:
    """Links to the recordings of the lab's tour, if there are any."""
    for page in sorted((DOCS / "tour").glob("*.html")):
        yield f"- [{title_of(page)}](tour/{page.name})"


def title_of(page: Path) -> str:
    """The title of a recording, from the name of its file: 1-one-reward.html is "One reward"."""
    return page.stem.partition("-")[2].replace("-", " ").capitalize()


class Recording(SphinxDirective):
    """A recording of the lab's tour inside a page, by the number at the beginning of its file's name."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The recording in a frame, with a link to it in a window of its own; nothing if there is no such file."""
        found = sorted((DOCS / "tour").glob(f"{int(self.arguments[0])}-*.html"))
        if not found:
            return []
        where = os.path.relpath(found[0], (DOCS / self.env.docname).parent).replace(os.sep, "/")
        title = title_of(found[0])
        frame = f'<iframe src="{where}" title="{title}" class="recording" loading="lazy"></iframe>'
        text = f"```{{raw}} html\n{frame}\n```\n\n[{title}, in a window of its own]({where}).\n"
        return self.parse_text_to_nodes(text)


def written_by(text: Callable[[], Iterable[str]]) -> type[SphinxDirective]:
    """A directive that is replaced by the Markdown that a function gives."""

    class Written(SphinxDirective):
        def run(self) -> list[nodes.Node]:
            return self.parse_text_to_nodes("\n".join(text()), allow_section_headings=True)

    return Written


def link_to_pages(app: Sphinx, doctree: nodes.document) -> None:
    """Links to HTML files lead to the page, which is copied into the site, and not to a download."""
    here = Path(app.env.docname).parent
    for link in list(doctree.findall(addnodes.download_reference)):
        target = link["reftarget"]
        if target.endswith(".html"):
            path = os.path.relpath((DOCS / here / target).resolve(), DOCS / here)
            link.replace_self(nodes.reference("", "", *link.children, refuri=path, internal=True))


def align_numbers(app: Sphinx, doctree: nodes.document) -> None:
    """Numbers in tables stand at the right of their columns."""
    for entry in doctree.findall(nodes.entry):
        if NUMBER.fullmatch(entry.astext().strip()):
            entry["classes"].append("number")


def mark_figures(app: Sphinx, doctree: nodes.document) -> None:
    """On dark pages the site's style turns figures round, but not those with colours for both, nor walls of maps."""
    for image in doctree.findall(nodes.image):
        path = DOCS / image["uri"]
        svg = path.read_text(encoding="utf-8") if path.suffix == ".svg" and path.exists() else ""
        if "prefers-color-scheme" in svg:
            image["classes"].append("themed")
        elif path.name in MAPS or "<image" in svg:  # notebooks draw maps as images within a figure
            image["classes"].append("plain")


def copy_pages(app: Sphinx, problem: Exception | None) -> None:
    """Copies whole pages into the site."""
    if problem is None and app.builder.format == "html":
        for page in pages_as_they_are():
            copy = Path(app.outdir) / page.relative_to(DOCS)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(page, copy)


def read_docstring(app: Sphinx, kind: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Docstrings are plain text: what is indented after an empty line is code, and a bar or a colon is one.

    Formulas in them, which are short, are set as formulas.
    """
    if kind in ("attribute", "property") and lines:
        lines[0] = f": {lines[0]}"  # or Napoleon takes all up to a colon for a type
    plain, lines[:] = ["", *lines], []
    indent = 0  # of the text around
    is_code = False
    for before, line in itertools.pairwise(plain):
        depth = len(line) - len(line.lstrip())
        if line.strip():
            begins = not before.strip() and depth > indent and not is_code
            if begins:
                lines += [" " * indent + "::", ""]
            is_code = begins or (is_code and depth > indent)
            indent = indent if is_code else depth
        if before.strip() == "Returns:":
            line = f"{line[:depth]}: {line[depth:]}"  # or Napoleon takes all up to a colon for a type
        lines.append(line if is_code else with_formulas(line.replace("|", "\\|")))


def with_formulas(line: str) -> str:
    """A line with its formulas set as formulas, unless they stand in code."""
    parts = line.split("`")
    parts[::2] = [FORMULA.sub(lambda found: f"\\ :math:`{_as_tex(found[0])}`\\ ", part) for part in parts[::2]]
    return "`".join(parts)


def _as_tex(formula: str) -> str:
    if formula.startswith("Hier"):
        return rf"\mathrm{{{formula.removesuffix('_k')}}}_k"
    if formula == "max_a":
        return r"\max_a"
    for sign, name in (("τ", r"\tau "), ("π", r"\pi "), ("_min", r"_{\mathrm{min}}"), ("_level", r"_{\mathrm{level}}")):
        formula = formula.replace(sign, name)
    return formula.replace("−", "-").rstrip()


def write_formula(writer: Any, node: nodes.Element) -> None:
    """A formula as MathML, which browsers draw by themselves."""
    is_block = isinstance(node, nodes.math_block)
    writer.body.append(tex2mathml(node.astext(), as_block=is_block))
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Tells Sphinx of all this."""
    os.environ["COLUMNS"] = HELP_WIDTH
    for name, text in {
        "command-reference": command_reference,
        "study-reference": study_reference,
        "findings": findings,
        "tour": tour,
    }.items():
        app.add_directive(name, written_by(text))
    app.add_directive("recording", Recording)
    app.connect("doctree-read", link_to_pages, priority=1)  # before Sphinx collects downloads
    app.connect("doctree-read", align_numbers)
    app.connect("doctree-read", mark_figures, priority=900)  # when Sphinx has found the files
    app.connect("autodoc-process-docstring", read_docstring, priority=1)  # before Napoleon reads sections
    app.connect("build-finished", copy_pages)
    app.add_html_math_renderer("mathml", (write_formula, None), (write_formula, None))
    return {"parallel_read_safe": True}
