"""Numbers in sentences."""

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from hierq.investigations.measures import Measured

if TYPE_CHECKING:
    from hierq.investigations.claims import Finding

LOG_STEPS = "difference in mean ln(steps)"


def signed(value: float, digits: int = 2) -> str:
    """A number with its sign, as −0.12."""
    text = f"{value:+.{digits}f}"
    zero = not text.strip("+-0.")
    return text[1:] if zero else text.replace("-", "−")


def with_interval(measured: Measured, digits: int = 2) -> str:
    """A number and its interval, as −0.95 (−0.97 to −0.93)."""
    value, low, high = (signed(each, digits) for each in measured.interval)
    return f"{value} ({low} to {high})"


def ratio_with_interval(measured: Measured) -> str:
    """A difference of logarithms as a ratio, as 1.47 (1.40 to 1.52)."""
    value, low, high = (f"{math.exp(each):.2f}" for each in measured.interval)
    return f"{value} ({low} to {high})"


def steps_saved(difference: float) -> str:
    """A difference of ln(steps) in words, as 61 % fewer steps."""
    share = math.expm1(difference)
    return f"{percent(abs(share))} {'fewer' if share < 0 else 'more'} steps"


ANSWERS = {"holds": "Yes", "holds partly": "Partly", "does not hold": "No"}


def answered(findings: Iterable["Finding"], sentences: Mapping[str, str]) -> list[str]:
    """Sentences about claims, filled with what was found; nothing is said of claims that were not judged.

    In a sentence, {verdict} stands for Yes, Partly or No, {steps} for "12 % fewer steps than" or "about as many steps
    as", {ends} for the 95 % interval of that, {effect} and {ratio} for the effect as a number and as a ratio, {detail}
    for what else was found and {first} for the first sentence of it.
    """
    found = {each.claim: each for each in findings if each.verdict in ANSWERS}
    filled = []
    for claim, sentence in sentences.items():
        each = found.get(claim)
        if each is None or each.effect is None or each.low is None or each.high is None:
            continue
        ends = " to ".join(percent(math.expm1(end)) for end in (each.low, each.high))
        filled.append(
            sentence.format(
                verdict=ANSWERS[each.verdict],
                steps="about as many steps as" if each.low < 0 < each.high else f"{steps_saved(each.effect)} than",
                ends=f"95 % interval {ends}",
                effect=f"{each.effect:.2f}",
                ratio=f"{math.exp(each.effect):.2f}",
                detail=each.detail,
                first=f"{each.detail.split('. ')[0].rstrip('.')}.",
            )
        )
    return filled


def percent(share: float) -> str:
    """A share, as 36 % or −8 %."""
    text = f"{100 * share:.0f} %"
    return text.lstrip("-") if text == "-0 %" else text.replace("-", "−")


def listed(parts: Iterable[object]) -> str:
    """Words in a row, as a, b and c."""
    words = [str(part) for part in parts]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else "nothing"
