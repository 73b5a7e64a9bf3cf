"""A recording: one HTML file that is a small lab of its own, without a server.

In it are the page's own modules and what a server would have told: both agents are trained again from their seed, and
what they know is kept after more and more episodes.
"""

import base64
import json
import re
import zlib
from typing import Any

from hierq.errors import InputError
from hierq.lab.answers import credit_answer, opened_answer, page_files
from hierq.lab.many import ManySeeds
from hierq.lab.messages import ExplainCredit, Many, Record
from hierq.lab.page_agent import PageAgent

ENTRY = "recorded.js"  # the module that plays it
MAX_PACKED_BYTES = 2_000_000
MAX_STEPS = 10_000_000  # of all episodes of both agents; what would come then is left out
POLICY = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data: blob:"
STYLE = re.compile(r'<link rel="stylesheet" href="/page/([\w.]+)">')
IMPORT = re.compile(r'^(import\b[^"]*?from\s*)"\./([\w.]+)";$', re.MULTILINE)


def recording(wanted: Record) -> str:
    """The HTML file.

    Raises:
        InputError: it would be too large, or one of its runs failed.
    """
    stops, told = _trained(wanted)
    packed = zlib.compress(json.dumps(told, separators=(",", ":")).encode(), 9)
    if len(packed) > MAX_PACKED_BYTES:
        raise InputError("the recording would be too large; take a smaller world, or fewer levels or episodes")
    data = {
        "state": wanted.state,
        "opened": opened_answer(wanted),
        "stops": stops,
        "credits": [_explained(question) for question in wanted.credit],
        "told": base64.b64encode(packed).decode(),
    }
    return _page(data)


def stops_of(episodes: int) -> list[int]:
    """After how many episodes the agents are kept: each of the first ten, then ever fewer, and the last."""
    stops = list(range(min(episodes, 10) + 1))
    while stops[-1] < episodes:
        stops.append(min(episodes, stops[-1] * 13 // 10))
    return stops


def _trained(wanted: Record) -> tuple[list[int], list[dict[str, Any]]]:
    """The stops that were reached, and what is told: curves, many seeds, and at each stop episodes and views."""
    pair = [PageAgent(number, wanted.world, config, wanted.seed) for number, config in enumerate(wanted.agents)]
    stops: list[int] = []
    told: list[dict[str, Any]] = []
    for stop in stops_of(wanted.episodes):
        for learner in pair:
            if stops:
                if stop > stops[-1] + 1:
                    learner.alternate(stop - stops[-1] - 1)
                learner.alternate_recorded()
                told.append({**learner.episode(), "stop": stop})
            levels = range(wanted.agents[learner.number].levels)
            told.extend({**learner.view(level), "stop": stop} for level in levels)
        stops.append(stop)
        if sum(learner.steps for learner in pair) > MAX_STEPS:
            break
    return stops, [*(learner.curve() for learner in pair), *_many(wanted), *told]


def _many(wanted: Record) -> list[dict[str, Any]]:
    """The last report about many seeds of each agent; none if they are not wanted."""
    if not wanted.seeds:
        return []
    reports: list[dict[str, Any]] = []
    problems: list[str] = []
    many = Many(id=0, seeds=wanted.seeds, iterations=wanted.iterations)
    seeds = ManySeeds(wanted, many, 2, reports.append, problems.append, lambda: None)
    seeds.start()
    seeds.join()
    if problems:
        raise InputError(problems[0])
    return reports[-2:]


def _explained(question: ExplainCredit) -> dict[str, Any]:
    try:
        return credit_answer(question)
    except InputError as problem:
        return {"problem": str(problem)}


def _page(data: dict[str, Any]) -> str:
    """The page of the lab as one file: with everything it would load written into it."""
    texts = {name: read().decode() for name, read in page_files().items()}
    modules = {f"lab/{name}": _as_address("text/javascript", texts[name]) for name in sorted(_needed(texts))}
    script = (
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f'<script type="importmap">{json.dumps({"imports": modules})}</script>\n'
        f'<script type="module">import "lab/{ENTRY}";</script>'
    )
    page = STYLE.sub(lambda found: f"<style>\n{texts[found[1]]}</style>", texts["index.html"])
    page = re.sub(r'<script type="module" src="[^"]*"></script>', lambda _: script, page)
    page = page.replace("/page/icon.svg", _as_address("image/svg+xml", texts["icon.svg"]))
    plain = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    return page.replace("</body>", f'<script type="application/json" id="recording">{plain}</script>\n</body>')


def _needed(texts: dict[str, str]) -> set[str]:
    """The modules that the entry imports, and those that they import."""
    needed, open_names = set[str](), [ENTRY]
    while open_names:
        name = open_names.pop()
        if name not in needed:
            needed.add(name)
            open_names += [found[2] for found in IMPORT.finditer(texts[name])]
    return needed


def _as_address(kind: str, text: str) -> str:
    """A text as a data: address; in a module, imports of other modules become names of the import map."""
    content = IMPORT.sub(r'\1"lab/\2";', text) if kind == "text/javascript" else text
    return f"data:{kind};base64,{base64.b64encode(content.encode()).decode()}"
