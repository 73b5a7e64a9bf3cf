"""What stands under every figure: its title, what to see in it, and what it looks like for those who do not see it."""

_MARGINAL_ALT = (
    "A panel per world. In each the number of levels k from 1 to 4 stands twice along the bottom, for traces on the "
    "left and for Tree-Backup on the right; four lines in shades of green join the agents of a backup, "
    "with grey markers of the published points behind them and a dashed line at the optimum."
)
_MARGINAL = (
    "Small coloured markers are our agents with 95 % bootstrap intervals over seeds, large grey ones the published "
    "points with their bands, which say nothing about seeds. Lower is better."
)
_CURVES_ALT = (
    "A panel per world. Lines of steps per evaluation episode over 20 training episodes fall towards a dashed line "
    "at the optimum; colours tell the number of levels, dashed lines were trained flat, and hollow markers were "
    "published."
)
_CURVES = "Lines with bands of one standard error are ours, markers with grey bars are published. "
_BALANCED = (
    "The depth of credit is balanced: Tree-Backup of the top level spans n · 3ᵏ⁻¹ = 9 environment steps at every k; "
    "γ = 0.95^(3ᵏ⁻²) discounts nine steps by 0.95³ = 0.857, with traces, too. So the paper’s Table 2; its formula "
    "there and in Section 5, γ₀^(1/H), gives others. Lower levels look less far, and agents act differently, so the "
    "curves alone do not say why they differ."
)
_AS_ABOVE = "n and γ are balanced as in the loss curves of two worlds."
_OFF_THE_LINES = " Ours follow the text, so markers of hierarchies may lie off their lines."
_VIOLINS_ALT = (
    "A panel per world with violins of mean steps per evaluation episode on a logarithmic axis, for k = 2 and k = 3, "
    "grouped by where sub-goals may lie and by what is rewarded; diamonds mark the means."
)
_FIRST_ALT = (
    "A panel per world. For each k from 1 to 4 eight vertical lines show how the steps of first training episodes "
    "are spread over seeds; a filled marker is their mean and a ring around it the published mean. A dotted line is "
    "the exact mean of a random walk."
)

# What each figure is in the paper; its variants are drawn after the same one.
IN_PAPER: dict[str, str] = {
    "hierarchy-tree": "Figure 1",
    "backups": "Figure 2",
    "worlds": "Figure 3",
    "marginal-hierarchy": "Figure 4",
    "loss-curves": "Figure 5",
    "policy": "Figure 6",
    "marginal-flat": "Figure 7",
    "violins": "Figure 8",
    "loss-curves-n": "Figure 9",
    "loss-curves-lambda": "Figure 10",
    "first-episodes": "Tables 1 and 3",
}


def origin(name: str) -> str:
    """Which figure or table of the paper a figure shows, as a sentence."""
    if name in IN_PAPER:
        return f"{IN_PAPER[name]} of the paper{'' if name != 'first-episodes' else ', as a figure'}."
    original = IN_PAPER.get(name.removesuffix("-50").removesuffix("-text").removesuffix("-all"))
    return f"After {original} of the paper." if original else "Not in the paper."


CAPTIONS: dict[str, tuple[str, str, str]] = {
    "worlds": (
        "The six worlds",
        "An episode begins on the blue tile and ends on the green one. In the paper’s tables they are called 10x10 and "
        "20x20 Gridworld, 4-rooms and 9-rooms 5-to-1, 10x10 and 20x20 Maze. Shortest paths take 18, 38, 16, 28, 20 and "
        "36 steps.",
        "Six square maps in a row: two open fields, four and nine rooms joined by doors, and two mazes. The start is "
        "blue, the goal green, walls are dark.",
    ),
    "hierarchy-tree": (
        "The hierarchy as a tree",
        "A training episode of an agent with three levels that takes a shortest path through rooms-4. Level 2 sends "
        "level 1 first to S₉ and then to the goal S₁₆; level 1 divides each errand among level 0, whose moves are "
        "the red arrows. A box is as wide as the time it took.",
        "Left, a map of four rooms with a path of red arrows from start to goal. Right, a tree: one box of level 2 "
        "over two of level 1 over six of level 0 over sixteen moves.",
    ),
    "backups": (
        "Four views of a backup",
        "Steps of the same episode towards the sub-goal S₉. (a) A flat backup looks one move ahead, twice. (b) In "
        "hindsight every state within the span is an action of the level. (c) Two such actions make four paths, of "
        "which the sparsified backup keeps those whose inferred hops have the full span; (d) shows who learns on "
        "arrival at S₉.",
        "Four times the same stretch of a map with a dashed light-blue goal tile. Red and white arrows show the hops "
        "of a flat two-step backup, a hierarchical one-step backup, all paths of a two-step one, and the same seen "
        "from the end.",
    ),
    "path-counts": (
        "How many paths a backup could take",
        "All paths of n actions grow as hⁿ, those of the sparsified backup as n · h: with h = 27 and n = 8 these are "
        "216 instead of 2.8 · 10¹¹. On the right, most paths are of middle length.",
        "Left, on a logarithmic axis, three straight lines rise steeply with n while three dashed lines stay almost "
        "level. Right, bell-shaped distributions of path lengths that move right and spread as n grows.",
    ),
    "policy": (
        "What one episode teaches a flat agent and a hierarchy",
        "Left, the episode that both learn from, from the blue cell to the green one; moves 2 and 3 are a loop, move 7 "
        "runs into a wall. Right, what is greedy after it (λ = 1, γ = 0.95, H = 3): an arrow is the flat agent’s move, "
        "a box the cell that the hierarchy (k = 2) asks for there, whose circle has the same letter. From the blue "
        "cell the flat agent takes 6 steps; the hierarchy asks for a, b and then c, the goal, and takes 8: two more, "
        "as the paper’s caption says.",
        "Two maps of four rooms. Left, nine numbered red arrows from start to goal. Right, arrows of the greedy "
        "moves, and lettered boxes that name the sub-goal chosen in a cell, with circles of the same letters on the "
        "sub-goals.",
    ),
    "marginal-hierarchy": (
        "Marginal log-performance, trained with the hierarchy",
        f"As published: published rules, mean over the first 32 iterations. {_MARGINAL} Look at "
        "how steep each line is from k = 1 to k = 2, and whether the lines come closer to one another as k grows.",
        _MARGINAL_ALT,
    ),
    "marginal-flat": (
        "Marginal log-performance, trained flat",
        f"As published: published rules, mean over the first 32 iterations, training by level 0 alone. {_MARGINAL}",
        _MARGINAL_ALT,
    ),
    "marginal-hierarchy-50": (
        "Marginal log-performance over all 50 iterations, trained with the hierarchy",
        f"Published rules, but averaged as the text says. {_MARGINAL} Look for points of ours below the "
        "published ones where agents learn slowly: iterations 33 to 50, now counted, come after more training.",
        _MARGINAL_ALT,
    ),
    "marginal-flat-50": (
        "Marginal log-performance over all 50 iterations, trained flat",
        f"Published rules, but averaged as the text says, training by level 0 alone. {_MARGINAL}",
        _MARGINAL_ALT,
    ),
    "marginal-hierarchy-text": (
        "Marginal log-performance by the rules of the text, trained with the hierarchy",
        f"What the paper says, all 50 iterations, against what it shows. {_MARGINAL} Flat agents (k = 1) differ by "
        "the number of iterations only; hierarchies by the rules as well.",
        _MARGINAL_ALT,
    ),
    "marginal-flat-text": (
        "Marginal log-performance by the rules of the text, trained flat",
        f"What the paper says, all 50 iterations, against what it shows, training by level 0 alone. {_MARGINAL}",
        _MARGINAL_ALT,
    ),
    "loss-curves": ("Loss curves of two worlds, λ = 1", _CURVES + _BALANCED, _CURVES_ALT),
    "loss-curves-n": (
        "Loss curves, Tree-Backup with n = 9, 3, 1 for k = 1, 2, 3",
        _CURVES + _AS_ABOVE,
        _CURVES_ALT,
    ),
    "loss-curves-lambda": (
        "Loss curves, traces with λ = 1",
        _CURVES + _AS_ABOVE,
        _CURVES_ALT,
    ),
    "first-episodes": (
        "First training episodes",
        "Within each k the agents stand in the order λ = 0, 0.5, 0.8, 1 and n = 1, 3, 5, 8. Rings are the published "
        "means, filled markers ours. Flat agents (k = 1) walk at random until they "
        "first find the goal, so their mean is known exactly: the dotted line.",
        _FIRST_ALT,
    ),
    "violins": (
        "Sub-goals and rewards",
        "One-step agents as in the published study, walls being sub-goals, too; each violin holds every seed's mean "
        "steps over all iterations. The lower, the better the representation. The paper draws violins, too, and prints "
        "no numbers of them, so none are drawn behind.",
        _VIOLINS_ALT,
    ),
    "violins-all": (
        "Sub-goals and rewards, and what the conclusion depends on",
        "The same with walls as sub-goals (hatched) beside free cells only, and with both start values of penalty "
        "rewards: low ones, as published, and 0. Compare the two hatchings at one place, and the last two thirds of "
        "a panel.",
        _VIOLINS_ALT,
    ),
    "loss-curves-text": (
        "Loss curves of two worlds by the rules of the text, λ = 1",
        _CURVES + _AS_ABOVE + _OFF_THE_LINES,
        _CURVES_ALT,
    ),
    "loss-curves-n-text": (
        "Loss curves by the rules of the text, Tree-Backup",
        _CURVES + _AS_ABOVE + _OFF_THE_LINES,
        _CURVES_ALT,
    ),
    "loss-curves-lambda-text": (
        "Loss curves by the rules of the text, traces with λ = 1",
        _CURVES + _AS_ABOVE + _OFF_THE_LINES,
        _CURVES_ALT,
    ),
    "first-episodes-text": (
        "First training episodes by the rules of the text",
        "As the figure of first training episodes, but for agents that follow the text. Rings that have lost their "
        "filled marker show what the departures do; flat agents (k = 1) have none.",
        _FIRST_ALT,
    ),
    "violins-text": (
        "Sub-goals and rewards by the rules of the text",
        "One-step agents that follow the text, sub-goals being free cells; each violin holds every seed's mean steps "
        "over all iterations. The lower, the better the representation.",
        _VIOLINS_ALT,
    ),
    "violins-all-text": (
        "Sub-goals and rewards by the rules of the text, with all variants",
        "The same with walls as sub-goals (hatched) beside free cells only, and with both start values of penalties.",
        _VIOLINS_ALT,
    ),
    "stitching": (
        "Control or backup",
        "All agents learnt from the same episodes, those of a flat agent. From left to middle only control is added: "
        "levels that stitch together what level 0 knows. From middle to right their backups get the full spans. "
        "All follow the rules of the text; under the published rules the experiment was made as well, and the claims "
        "have its numbers. Whiskers are 95 % intervals over seeds; lower is better.",
        "A panel per world with lines over three places: level 0 alone, a hierarchy with spans of one step, and a "
        "hierarchy with full spans, on a logarithmic axis of steps with a dashed line at the optimum.",
    ),
    "audit-preference": (
        "The preference slip",
        "The goal is within reach of level 2 at each of these states of maze-10, so the text asks for it. The "
        "published program worked out another cell: as this goal lies on the diagonal, the cell on the diagonal in "
        "the agent's own column. On the right that is a wall.",
        "Three maps of a maze. In each a green arrow leads from the agent to the goal and a red arrow to the cell "
        "that the published program preferred.",
    ),
    "audit-walls": (
        "Walls as sub-goals",
        "All sub-goals of level 1 at three states of maze-10. The text has the dots; the published program had the "
        "crosses, too, which nobody can reach.",
        "Three maps of a maze, in each a dashed diamond of cells within three steps of the agent; dots mark free "
        "cells, crosses walls.",
    ),
    "audit-evaluation": (
        "The evaluation rule",
        "Two agents that were trained alike are evaluated once each, on rooms-9 with k = 3. By the text's rule most "
        "goals are kept until they are reached; by the published rule most are dropped or drawn anew after a step.",
        "Two timelines of goals of levels 0 and 1. Above, long filled bars; below, many short pale or hatched ones.",
    ),
    "audit-iterations": (
        "32 of 50 iterations",
        "Mean steps of every iteration for n = 3, trained with the hierarchy by the published rules. The figures "
        "average the shaded part and leave the rest out. Look at how far the two averages at the right lie apart, and "
        "at which k they do most.",
        "Four curves over 50 iterations, the first 32 of them shaded; at the right edge two averages for "
        "each curve, a hollow and a filled marker.",
    ),
    "audit-first-episodes": (
        "What each departure does to first episodes",
        "Mean steps of first training episodes with one departure, or all, as a factor of those by the text, "
        "averaged over n = 3 and λ = 1. Training does not use the evaluation rule, so it can have no effect here: its "
        "row is a check, and shows what chance does.",
        "A panel per world with a row per departure; dots with intervals for k = 2, 3 and 4 lie left or right of a "
        "line at factor 1.",
    ),
    "audit-marginals": (
        "What each departure does to marginal points",
        "Difference in mean ln(steps) to agents that follow the text, with one departure or all of them, averaged "
        "over n = 3 and λ = 1. Right of the line is worse; 0.1 is about 10 % more steps.",
        "A panel per world with a row per departure; dots with intervals for k = 2, 3 and 4 lie left or right of a "
        "line at no difference.",
    ),
}
