"""A recording: one HTML file that is a small lab of its own, without a server.

In it are the page's own modules and the frames that a server would have sent: both agents are trained again from their
seed, and what they know is kept after more and more episodes.
"""

import base64
import json
import re
import zlib
from collections.abc import Iterator
from typing import Any

from hierq.errors import InputError
from hierq.lab.answers import credit_answer, opened_answer, page_files
from hierq.lab.frames import NOW
from hierq.lab.many import ManySeeds
from hierq.lab.memory import bytes_of
from hierq.lab.messages import AboutAView, ExplainCredit, Many, Record
from hierq.lab.page_agent import PageAgent

ENTRY = "recorded.js"  # the module that plays it
MOST_MOMENTS = 24  # of an episode at which its tables are kept
MOST_BYTES_TO_COPY = 5_000_000  # of an agent; of a larger one only the ends of episodes are kept
MOST_PACKED_BYTES = 2_000_000
MOST_STEPS = 10_000_000  # of all episodes of both agents; what would come then is left out
POLICY = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data: blob:"
STYLE = re.compile(r'<link rel="stylesheet" href="/page/([\w.]+)">')
IMPORT = re.compile(r'^(import\b[^"]*?from\s*)"\./([\w.]+)";$', re.MULTILINE)


def recording(wanted: Record) -> str:
    """The HTML file.

    Raises:
        InputError: it would be too large, or one of its runs failed.
    """
    for moments in (MOST_MOMENTS, 6, 0):
        stops, frames = _trained(wanted, moments)
        packed = zlib.compress(b"".join(frames), 9)
        if len(packed) <= MOST_PACKED_BYTES:
            break
    else:
        raise InputError("the recording would be too large; take a smaller world, or fewer levels or episodes")
    data = {
        "state": wanted.state,
        "opened": opened_answer(wanted),
        "stops": stops,
        "credits": [_explained(question) for question in wanted.credit],
        "lengths": [len(frame) for frame in frames],
        "frames": base64.b64encode(packed).decode(),
    }
    return _page(data)


def stops_of(episodes: int) -> list[int]:
    """After how many episodes the agents are kept: each of the first ten, then ever fewer, and the last."""
    stops = list(range(min(episodes, 10) + 1))
    while stops[-1] < episodes:
        stops.append(min(episodes, stops[-1] * 13 // 10))
    return stops


def _trained(wanted: Record, moments: int) -> tuple[list[int], list[bytes]]:
    """The stops that were reached, and all frames: curves, many seeds, and for each stop episodes and views."""
    pair = [PageAgent(number, wanted.world, config, wanted.seed) for number, config in enumerate(wanted.agents)]
    stops: list[int] = []
    frames: list[bytes] = []
    for stop in stops_of(wanted.episodes):
        for learner in pair:
            if stops:
                if stop > stops[-1] + 1:
                    learner.alternate(stop - stops[-1] - 1)
                learner.alternate_recorded()
                frames.append(learner.training_frame(stop))
            frames.extend(_views(wanted, learner, stop, moments))
        stops.append(stop)
        if sum(learner.steps for learner in pair) > MOST_STEPS:
            break
    return stops, [*(learner.take_curve() for learner in pair), *_many(wanted), *frames]


def _views(wanted: Record, learner: PageAgent, stop: int, moments: int) -> Iterator[bytes]:
    """What every level knows after an episode, and in the midst of it; `stop` stands where an answer has its number."""
    config = wanted.agents[learner.number]
    is_large = bytes_of(wanted.world, config) > MOST_BYTES_TO_COPY
    times = [] if stop == 0 or is_large else learner.moments(moments)
    asked = wanted.goal if config.subgoal_cells == "grid" or (wanted.goal or 0) < wanted.world.states else None
    for level in range(config.levels):
        for goal in dict.fromkeys((None, asked if config.is_conditioned(level) else None)):
            view = AboutAView(id=0, agent=learner.number, level=level, goal=goal)
            yield from (learner.view_frame(view, at, stop) for at in (*times, NOW))


def _many(wanted: Record) -> list[bytes]:
    """The last report about many seeds, one frame for each agent; none if they are not wanted."""
    if not wanted.seeds:
        return []
    reports: list[bytes] = []
    problems: list[str] = []
    many = Many(id=0, seeds=wanted.seeds, iterations=wanted.iterations)
    seeds = ManySeeds(wanted, many, 2, reports.append, problems.append, lambda: None)
    seeds.begin()
    seeds.wait()
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
