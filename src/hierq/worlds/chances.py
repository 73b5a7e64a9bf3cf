"""What to expect in a world: the best values and episodes, and the values, steps and success of a given policy.

Entering a goal gives reward 1, everything else 0; goals and holes end the episode. All functions read a world and
return new arrays.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hierq.checks import number_between, whole_number
from hierq.errors import InputError
from hierq.worlds.elimination import totals_until_end
from hierq.worlds.facts import shortest_path_lengths
from hierq.worlds.layout import AT_GOAL, GOES_ON, Integers, Numbers, steps_to_goal
from hierq.worlds.maps import AnyWorld, as_world
from hierq.worlds.subgoals import Nearness
from hierq.worlds.world import World

PRECISION = 1e-12
DISCOUNT_OF_EPISODES = 0.99  # at which a detour around holes is worth its steps
MAX_RANDOM_STATES = 5_000  # of a world with random moves whose best episodes are known within a second


def best_values(world: AnyWorld, discount: float = 0.95, reach: int = 1) -> Numbers:
    """The value V*(s) of acting as well as the chances allow, by value iteration.

        V(s) = max_a Σ_s' P(s' | s, a) · (1 if s' is a goal, 0 if s' is a hole, γ V(s') otherwise)

    For a level whose actions take `reach` steps, γ counts once in `reach` steps; its values are never above these.
    Iteration stops when no value changes by more than 10⁻¹²; the remaining error is at most 10⁻¹² γ / (1 − γ). At
    γ = 1 the value is the best chance to reach a goal at all; where moves are random, policy iteration finds it. It can
    miss a path that leaves a cycle of several states with a chance below 10⁻¹² per step.

    Returns:
        Array [states]; 0 in holes, NaN at goals, where there is nothing to decide.
    """
    world = as_world(world)
    discount = number_between("the discount", discount, 0, 1, open_low=True)
    goes_on = world.ending == GOES_ON
    if discount == 1 and world.is_random:
        return _best_chances(world)
    values = np.where(world.ending == AT_GOAL, 1.0, 0.0)  # of entering a state
    while True:
        best = values
        for _ in range(reach):
            best = np.where(goes_on, _worth_of_actions(world, best).max(axis=1), values)
        after = np.where(goes_on, discount * best, values)
        if np.abs(after - values).max() <= PRECISION:
            break
        values = after
    found = np.where(goes_on, best, 0.0)
    found[world.goals] = np.nan
    return found


def _best_chances(world: World) -> Numbers:
    """The best chance to reach a goal, by policy iteration; it ends soon, however small the chances are.

    A policy takes another action only where that is better by more than rounding, once it leaves the state: staying,
    however likely, costs nothing. A policy without such an action is a solution V of V(s) = max_a Σ_s' P(s' | s, a)
    V(s'), and the best chances are the smallest one.
    """
    leaves = world.outcomes != np.arange(world.states)[:, np.newaxis, np.newaxis]
    chances = np.where(leaves, world.chances, 0.0)
    total = chances.sum(axis=2, keepdims=True)
    chances = np.divide(chances, total, out=chances, where=total > 0)
    policy = best_policy(world, DISCOUNT_OF_EPISODES)
    while True:
        values = policy_values(world, policy, 1.0)
        worth = (chances * np.where(world.ending == AT_GOAL, 1.0, values)[world.outcomes]).sum(axis=2)
        is_better = (world.ending == GOES_ON) & (worth.max(axis=1) > (1 + PRECISION) * values)
        if not is_better.any():
            return np.minimum(values, 1.0)  # 1 + 10⁻¹⁶ by rounding
        policy = np.where(is_better, worth.argmax(axis=1), policy)


def best_policy(world: AnyWorld, discount: float = 0.95) -> Integers:
    """An action with the best value in every state; of several, the one with the lowest number.

    The discount must be below 1: at 1 a detour is as good as the direct path, and an endless one looks as good.

    Returns:
        Array [states]; its entries at goals and in holes have no meaning.
    """
    world = as_world(world)
    values = best_values(world, discount)
    if discount == 1:
        raise InputError(
            "at discount 1 the best values do not distinguish a path that ends from one that never does; use 0.95"
        )
    entered = np.where(world.ending == AT_GOAL, 1.0, discount * values)
    worth = _worth_of_actions(world, entered)
    # Values that differ only by rounding count as equal.
    is_best = worth >= worth.max(axis=1, keepdims=True) - 100 * PRECISION
    return np.asarray(np.argmax(is_best, axis=1), dtype=np.int64)


def _worth_of_actions(world: World, entered: Numbers) -> Numbers:
    """Array [states, actions]: the value of each action, given the value of entering each state."""
    worth: Numbers = np.einsum("sao,sao->sa", world.chances, entered[world.outcomes])
    return worth


def policy_values(world: AnyWorld, policy: npt.ArrayLike, discount: float = 0.95) -> Numbers:
    """The value V(s) of a policy π, from one sparse linear system.

        V(s) = Σ_a π(a | s) Σ_s' P(s' | s, a) · (1 if s' is a goal, 0 if s' is a hole, γ V(s') otherwise)

    Args:
        world: The world.
        policy: Array [states] of actions, or [states, actions] of their probabilities. Its entries at goals and in
            holes are ignored.
        discount: γ, above 0 and at most 1; at 1 the value is the chance to reach a goal.

    Returns:
        Array [states]; 0 in holes, NaN at goals.
    """
    world = as_world(world)
    discount = number_between("the discount", discount, 0, 1, open_low=True)
    moves = _moves_of(world, policy)
    values = totals_until_end(moves, world.ending != GOES_ON, moves @ (world.ending == AT_GOAL), discount)
    values[world.goals] = np.nan
    return values


def expected_steps(world: AnyWorld, policy: npt.ArrayLike) -> tuple[Numbers, Numbers]:
    """How long the episodes of a policy are on average, and how often they end at a goal.

        h(s) = 1 + Σ_a π(a | s) Σ_s' P(s' | s, a) h(s'),   h = 0 at goals and in holes

    The policy is given as to `policy_values`.

    Returns:
        Array [states], the expected steps until the episode ends, infinite where it may never end; and array
        [states], the chance that it ends at a goal. At goals these are 0 and 1, in holes 0 and 0.
    """
    world = as_world(world)
    moves, ends, at_goal = _moves_of(world, policy), world.ending != GOES_ON, world.ending == AT_GOAL
    steps = totals_until_end(moves, ends, np.ones(world.states), endless=np.inf)
    success = totals_until_end(moves, ends, moves @ at_goal)
    return steps, np.where(at_goal, 1.0, np.minimum(success, 1.0))  # 1 + 10⁻¹⁶ by rounding


def random_walk_steps(world: AnyWorld) -> Numbers:
    """The expected steps h(s) of a uniform random walk from every state s to the end of the episode.

        h(s) = 1 + mean over actions a of Σ_s' P(s' | s, a) h(s'),   h = 0 at goals and in holes

    A blocked move costs a step as well. `random_walk_steps(world)[world.start]` is the mean length of a flat
    agent's first episode, as long as no episode meets the step limit.

    Returns:
        Array [states], h(s); infinite where the walk may never end.
    """
    world = as_world(world)
    moves = _moves_of(world, np.full((world.states, world.actions), 1 / world.actions))
    return totals_until_end(moves, world.ending != GOES_ON, np.ones(world.states), endless=np.inf)


def aimless_steps(world: AnyWorld, horizon: int = 3, nearness: Nearness = "L1") -> Numbers:
    """The expected steps h(s) until two levels that know all paths, but not the goal, come upon the goal.

    The upper level asks for a cell within the horizon, all equally likely. The lower level follows a shortest path to
    it, ties broken uniformly, until it arrives or has made as many moves as the horizon:

        h(s) = mean over near w of T(s, w) + Σ_s' P(s' | s, w) h(s'),   h = 0 at the goal

    with T moves until s', where the lower level returns. It looks at random for cells to which no path leads. A cell
    that is near by "L1" but behind a wall makes the agent turn back; `random_walk_steps` shows how much harm that does.
    Agents that ask for a goal as soon as it is near, as the paper's do, find it sooner.

    Args:
        world: A world without chance and holes, with one goal.
        horizon: H, the moves of the lower level and the distance within which sub-goals are asked for.
        nearness: "L1" distance or "steps" of the shortest path.

    Returns:
        Array [states], h(s); infinite where the goal may never be found.
    """
    from scipy.sparse import csr_array

    world = as_world(world)
    if world.is_random or len(world.goals) > 1 or len(world.holes):
        raise InputError(f"{world.name} has chance, holes or several goals, which aimless_steps does not support")
    horizon = whole_number("the horizon", horizon)
    near, counts = world.subgoals(horizon, "free", nearness=nearness)
    lengths = shortest_path_lengths(world, through_goal=True)  # it does not know where the goal is
    goes_on = world.ending == GOES_ON
    chances, moves = np.zeros((world.states, world.states)), np.zeros(world.states)
    for subgoal in range(world.states):
        asking = np.flatnonzero((near == subgoal).any(axis=1) & goes_on)
        returned, steps = _walks_to(world, asking, lengths[:, subgoal], horizon)
        chances[asking] += returned / counts[asking, np.newaxis]
        moves[asking] += steps / counts[asking]
    return totals_until_end(csr_array(chances), ~goes_on, moves, endless=np.inf)


def _walks_to(world: World, starts: Integers, lengths: npt.NDArray[np.int32], horizon: int) -> tuple[Numbers, Numbers]:
    """Walks to a sub-goal: array [starts, states], the chance to return in each state; array [starts], mean moves."""
    from scipy.sparse import diags_array

    is_nearer = lengths[world.successors] == lengths[:, np.newaxis] - 1
    is_tried = is_nearer | (lengths <= 0)[:, np.newaxis]  # where no path leads there, any move is as good
    goes_on = (lengths != 0) & (world.ending == GOES_ON)
    moves = _moves_of(world, is_tried / is_tried.sum(axis=1, keepdims=True))
    moves = diags_array(1.0 * goes_on) @ moves + diags_array(1.0 * ~goes_on)  # who has arrived stays
    reached, steps = np.eye(world.states)[starts], np.zeros(len(starts))
    for _ in range(horizon):
        steps += reached @ goes_on
        reached = reached @ moves
    return reached, steps


class BestEpisodes(NamedTuple):
    """The episodes of the best policy, on average over the starts."""

    steps: float  # expected
    success: float  # the chance that an episode ends at a goal


def optimum(world: AnyWorld) -> float:
    """The expected steps of an episode of the best policy, on average over the starts and their chances.

    Without random moves this is the mean of the shortest paths from the starts. With random moves the policy is
    the best one at discount 0.99; its episodes include those that end in a hole. An agent that explores takes more.

    Returns:
        The steps; infinite where even the best policy may never end.
    """
    return _best(as_world(world)).steps


def best_episodes(world: World) -> BestEpisodes | None:
    """The expected steps and the success of the best policy, where they are known within a second.

    Returns:
        None for a world with random moves and more than 5,000 states, and where the best policy may never end.
    """
    if world.is_random and world.states > MAX_RANDOM_STATES:
        return None
    best = _best(world)
    return best if np.isfinite(best.steps) else None


def _best(world: World) -> BestEpisodes:
    if world.is_random:
        steps, success = expected_steps(world, best_policy(world, DISCOUNT_OF_EPISODES))
    else:
        steps = steps_to_goal(world)
        success = np.ones(world.states)
    return BestEpisodes(*(float(world.start_chances @ part[world.starts]) for part in (steps, success)))


def _moves_of(world: World, policy: npt.ArrayLike) -> Any:
    """The chances of a policy to go from state to state, a sparse array; rows of goals and holes are empty."""
    from scipy.sparse import csr_array

    likely = _probabilities(world, policy)
    sources = np.repeat(np.arange(world.states), world.outcomes[0].size)
    chances = (likely[:, :, np.newaxis] * world.chances).ravel()
    kept = (chances > 0) & (world.ending[sources] == GOES_ON)
    targets = world.outcomes.ravel()[kept]
    return csr_array((chances[kept], (sources[kept], targets)), shape=(world.states, world.states))


def _probabilities(world: World, policy: npt.ArrayLike) -> Numbers:
    """A policy as array [states, actions] of probabilities, checked where the episode goes on."""
    given, goes_on = np.asarray(policy), world.ending == GOES_ON
    if given.shape == (world.states,) and given.dtype.kind in "iu":
        given = np.array(given[:, np.newaxis] == np.arange(world.actions), dtype=np.float64)
    if given.shape != (world.states, world.actions) or given.dtype.kind not in "iuf":
        raise InputError(
            f"a policy is an array [{world.states}] of actions or [{world.states}, {world.actions}] of their "
            f"probabilities, not one of shape {given.shape} and type {given.dtype}"
        )
    is_wrong = ~((given >= 0).all(axis=1) & (np.abs(given.sum(axis=1) - 1) <= 1e-9)) & goes_on
    if is_wrong.any():
        state = int(np.argmax(is_wrong))
        raise InputError(
            f"the policy's chances of the actions in state {state} of {world.name} are {given[state].tolist()!r:.60}; "
            f"let the policy take an action from 0 to {world.actions - 1}, or make them 0 or more and sum to 1"
        )
    return np.where(goes_on[:, np.newaxis], given, 0.0).astype(np.float64)
