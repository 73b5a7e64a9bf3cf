// @ts-check
// Written by `python -m hierq.lab.declared` from what hierq declares: change it there.

/** Every setting of an agent. @type {Record<string, any>} */
export const DECLARED = {
  "levels": {"usual": 2, "about": "How many levels decide. Level 0 moves; every level above chooses a goal for the one below. 1 is a flat agent.", "symbol": "k", "low": 1, "high": 6, "whole": true},
  "horizons": {"usual": 3, "about": "How many actions a level may take before it returns to its parent: one number for all levels, or one for each, bottom first.", "symbol": "H", "low": 1, "high": 1000, "whole": true},
  "backup": {"usual": {"kind": "OneStep"}, "about": "How far one experience changes values: one hop, OneStep(); n hops, TreeBackup(n) or Backup(operator, n); or all earlier steps with fading weight, Traces(decay)."},
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
  "credit_span": {"usual": "full", "about": "What a hop above level 0 spans: \"stride\", as many steps as an action of the level may take, H^a (the paper); \"single\", one step, which takes a level its longer credit away.", "choices": ["full", "single"]},
};

/** The numbers of a backup. @type {Record<string, any>} */
export const NUMBERS = {
  "n": {"usual": 3, "about": "Number of hops a return looks ahead; 3 if left out, and always 1 for one-step.", "symbol": "n", "low": 1, "high": 1000, "whole": true},
  "decay": {"usual": 0.8, "about": "What is left of a trace after a step, beside the discount: from 0 (one-step) to 1 (no fading).", "symbol": "λ", "low": 0, "high": 1},
};

/** What may pass through a hop, beside the kinds OneStep and TreeBackup. @type {Record<string, any>} */
export const OPERATORS = {};

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
