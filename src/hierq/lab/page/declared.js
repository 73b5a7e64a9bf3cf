// @ts-check
// Written by `python -m hierq.lab.declared` from what hierq declares: change it there.

/** Every setting of an agent. @type {Record<string, any>} */
export const DECLARED = {
  "levels": {"usual": 2, "about": "How many levels decide. Level 0 moves; every level above chooses a goal for the one below. 1 is a flat agent.", "symbol": "k", "low": 1, "high": 6, "whole": true},
  "horizons": {"usual": 3, "about": "How many actions a level may take before it returns to its parent: one number for all levels, or one for each, bottom first.", "symbol": "H", "low": 1, "high": 1000, "whole": true},
  "backup": {"usual": {"kind": "Backup", "operator": "one-step"}, "about": "How far one experience changes values: one hop, OneStep(); n hops, TreeBackup(n) or Backup(operator, n); or all earlier steps with fading weight, Traces(decay). Or another learning rule, for flat agents: Rival(rule, updates)."},
  "discount": {"usual": 0.95, "about": "What is left of a value after one action of a level. A level above loses this once for a whole hop: that is why its credit arrives stronger. 1 needs the penalty pseudo-reward.", "symbol": "γ", "low": 0, "high": 1, "open": true},
  "step_size": {"usual": 1.0, "about": "How much of the new value replaces the old one; 1 replaces it all, right in a world without chance. Take 0.1 or so where moves go astray.", "symbol": "α", "low": 0, "high": 1, "open": true},
  "explore_train": {"usual": 0.25, "about": "Share of level 0's moves that are drawn at random in training. Levels above are always greedy.", "symbol": "ε", "low": 0, "high": 1},
  "explore_eval": {"usual": 0.05, "about": "Share of level 0's moves that are drawn at random in evaluation. A little of it gets an agent out of a loop.", "symbol": "ε", "low": 0, "high": 1},
  "behaviour": {"usual": "hierarchy", "about": "Who acts in training: the hierarchy, or level 0 alone towards the goal (\"flat\") while all levels still learn. Evaluation always uses the hierarchy.", "choices": ["hierarchy", "flat"]},
  "subgoals": {"usual": "nearby", "about": "Cells a level may ask for: within its reach (\"nearby\"), or \"anywhere\".", "choices": ["nearby", "anywhere"]},
  "subgoal_cells": {"usual": "free", "about": "Only \"free\" cells are sub-goals, or every cell of the \"grid\", walls too, as in the published runs.", "choices": ["free", "grid"]},
  "goal_preference": {"usual": "reachable", "about": "A goal within reach is drawn directly (\"reachable\", the text); with the slip of the published program (\"published\"); or not at all (\"none\").", "choices": ["reachable", "published", "none"]},
  "pseudo_reward": {"usual": "binary", "about": "1 for reaching a goal and nothing else (\"binary\"), or −1 for every step and 0 at the goal (\"penalty\"). Discount 1 needs the latter.", "choices": ["binary", "penalty"]},
  "initial_value": {"usual": 0.0, "about": "What tables start with; \"pessimistic\" is −min(H^a_{i+1}, max_j H_j) at level i. With penalties a start at 0 is optimistic: sub-goals that cannot be reached stay the best for ever; take \"pessimistic\".", "low": -1000000000000.0, "high": 1000000000000.0, "choices": ["pessimistic"]},
  "universal_top": {"usual": false, "about": "Whether the top level learns about every goal, as the levels below do, or only about the world's."},
  "target": {"usual": "greedy", "about": "The policy that is learnt about: \"greedy\"; greedy but for a share ε spread evenly, EpsilonSoft(ε); or Softmax(temperature).", "symbol": "π"},
  "evaluation": {"usual": "text", "about": "When goals are drawn anew in evaluation: the \"text\" rule or the \"published\" program's.", "choices": ["text", "published"]},
  "step_limit": {"usual": 20000, "about": "Steps after which an episode is given up.", "low": 1, "high": 20000, "whole": true},
  "explore": {"usual": "epsilon", "about": "What is tried in training: \"epsilon\" (ε-greedy, the paper); while nothing is known of a goal, \"pass\" hands it down and goes where it has been least, \"seek\" asks for what was seen and asked for least, \"optimism\" goes where something new may be nearest; \"epsilon-z\" repeats random moves; or a function made with @hierq.explorer.", "choices": ["epsilon", "pass", "seek", "optimism", "epsilon-z"]},
  "credit_span": {"usual": "full", "about": "What a hop above level 0 spans: \"stride\", as many steps as an action of the level may take, H^a (the paper); \"single\", one step, which takes a level its longer credit away; \"random\", 1 to H^a steps, drawn anew for each hop; \"executed\", an action as it was taken: from where a sub-goal was asked for to where it ended; \"all-max\", 1 to H^a steps, over all paths; at each state the best hop counts; \"all-mean\", the same; at each state the mean over the hops counts; \"all-paths\", the same; the mean over all paths counts.", "choices": ["full", "single", "random", "executed", "all-max", "all-mean", "all-paths"]},
};

/** What belongs to a backup. @type {Record<string, any>} */
export const PARTS = {
  "n": {"usual": 3, "about": "Number of hops a return looks ahead; 3 if left out, and always 1 for one-step. Of an episode that is given up, what has fewer hops after it is not learnt, unless all is learnt when it is over.", "symbol": "n", "low": 1, "high": 1000, "whole": true},
  "decay": {"usual": 0.8, "about": "What is left of a trace after a step, beside the discount: from 0 (one-step) to 1 (no fading).", "symbol": "λ", "low": 0, "high": 1},
  "when": {"usual": "step", "about": "When backups are done: \"step\", after every step (the paper); \"episode\", backward, when the episode is over.", "choices": ["step", "episode"]},
};

/** What may pass through a hop; decay: the usual λ, if it has one. @type {Record<string, any>} */
export const OPERATORS = {
  "one-step": {"about": "X = v: nothing passes; each hop learns from the state it leads to. HierQ_k, and Q-learning at k = 1.", "looks_ahead": false},
  "tree-backup": {"about": "X = v + π (y − q): the part of V that the hop stands for is replaced by what it brought. HierTB_k(n).", "looks_ahead": true, "decay": 1.0},
  "tree-backup-printed": {"about": "X = π y + (1 − π) v: Algorithm 3 as it is printed. It is Tree-Backup for the greedy policy only.", "looks_ahead": true},
  "peng": {"about": "X = (1 − λ) v + λ y: Peng's Q(λ). Nothing is cut, and what was explored counts as if it were greedy.", "looks_ahead": true, "decay": 0.8},
  "never-cut": {"about": "X = v + λ (y − q): Q*(λ), Watkins' Q(λ) with traces that are never cut (Harutyunyan et al. 2016).", "looks_ahead": true, "decay": 0.8},
  "retrace": {"about": "X = v + λ min(1, π / μ) (y − q): Retrace(λ) (Munos et al. 2016). For the greedy policy that is Watkins' Q(λ).", "looks_ahead": true, "decay": 1.0},
  "sarsa": {"about": "X = (1 − λ) q + λ y: SARSA(λ), which learns about what was done, and not about the target policy.", "looks_ahead": true, "decay": 0.8},
  "uncorrected": {"about": "X = y: all passes, and V counts at the end only. The usual n-step Q-learning, for the greedy policy.", "looks_ahead": true},
  "expected-sarsa": {"about": "X = y, with V = E_π Q at the end: n-step Expected SARSA. Its target policy is not greedy.", "looks_ahead": true},
  "max": {"about": "X = max(v, y): the better of what the table says and what the hop brought (Wang et al. 2024).", "looks_ahead": true},
};

/** Values of two settings that do not go together, by those of the first. @type {Record<string, any>} */
export const REFUSED = {
  "backup Traces": [["operator", "one-step"], ["operator", "tree-backup-printed"], ["operator", "retrace"], ["operator", "sarsa"], ["operator", "uncorrected"], ["operator", "expected-sarsa"], ["operator", "max"], ["hops", "random"], ["hops", "executed"], ["hops", "all-max"], ["hops", "all-mean"], ["hops", "all-paths"]],
  "operator one-step": [["backup", "Traces"]],
  "operator tree-backup-printed": [["backup", "Traces"]],
  "operator retrace": [["backup", "Traces"], ["hops", "executed"]],
  "operator sarsa": [["backup", "Traces"]],
  "operator uncorrected": [["backup", "Traces"], ["target", "EpsilonSoft"], ["target", "Softmax"]],
  "operator expected-sarsa": [["backup", "Traces"], ["target", "greedy"]],
  "operator max": [["backup", "Traces"]],
  "hops random": [["backup", "Traces"]],
  "hops executed": [["backup", "Traces"], ["operator", "retrace"], ["behaviour", "flat"], ["subgoal-cells", "grid"]],
  "hops all-max": [["backup", "Traces"]],
  "hops all-mean": [["backup", "Traces"]],
  "hops all-paths": [["backup", "Traces"]],
  "target greedy": [["operator", "expected-sarsa"]],
  "target EpsilonSoft": [["operator", "uncorrected"]],
  "target Softmax": [["operator", "uncorrected"]],
  "behaviour flat": [["hops", "executed"]],
  "subgoal-cells grid": [["hops", "executed"]],
};

/** Target policies beside the greedy one. @type {Record<string, any>} */
export const TARGETS = {
  "EpsilonSoft": {"epsilon": 0.1},
  "Softmax": {"temperature": 0.1},
};

/** The switches of the published runs. @type {Record<string, any>} */
export const PUBLISHED = {
  "subgoal_cells": "grid",
  "goal_preference": "published",
  "evaluation": "published",
};
