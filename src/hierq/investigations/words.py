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


def with_interval(measured: Measured, digits: int | None = None) -> str:
    """A number and its interval, as −0.95 (−0.97 to −0.93); with three decimals if it is small."""
    if digits is None:
        digits = 3 if max(map(abs, measured.interval)) < 0.1 else 2
    value, low, high = (signed(each, digits) for each in measured.interval)
    return f"{value} ({low} to {high})"


def ratio_with_interval(measured: Measured) -> str:
    """A difference of logarithms as a ratio, as 1.47 (1.40 to 1.52)."""
    value, low, high = (f"{math.exp(each):.2f}" for each in measured.interval)
    return f"{value} ({low} to {high})"


def steps_saved(difference: float) -> str:
    """A difference of ln(steps) in words, as 61 % fewer steps."""
    share = math.expm1(difference)
    return f"{fine_percent(abs(share))} {'fewer' if share < 0 else 'more'} steps"


ANSWERS = {"holds": "Yes", "holds partly": "Partly", "does not hold": "No"}


def answered(findings: Iterable["Finding"], sentences: Mapping[str, str]) -> list[str]:
    """Sentences about claims, filled with what was found; claims that were not judged are left out.

    In a sentence, {verdict} stands for Yes, Partly, No or, with 0 in the interval, No difference was found; {steps}
    for "12 % fewer steps than" or "about as many steps as", {ends} for the 95 % interval of that, {ratio} for the
    effect as a ratio, {detail} for what else was found and {first} for the first sentence of it. Of a claim that has no
    one effect {first} is said in place of what would follow {verdict}.
    """
    found = {each.claim: each for each in findings if each.verdict in ANSWERS}
    filled = []
    for claim, sentence in sentences.items():
        each = found.get(claim)
        if each is None:
            continue
        unclear = each.verdict == "does not hold" and each.low is not None and each.low < 0
        said = {
            "verdict": "No difference was found" if unclear else ANSWERS[each.verdict],
            "detail": each.detail,
            "first": f"{each.detail.split('. ')[0].rstrip('.')}.",
        }
        if each.effect is not None and each.low is not None and each.high is not None:
            said["steps"] = "about as many steps as" if each.low < 0 < each.high else f"{steps_saved(each.effect)} than"
            said["ends"] = f"95 % interval {_ends(each.low, each.high)}"
            said["ratio"] = f"{math.exp(each.effect):.2f}"
        elif "{steps}" in sentence:
            sentence = f"{sentence.partition('{verdict}')[0]}{{verdict}}. {{first}}"
        filled.append(sentence.format(**said))
    return filled


def _ends(low: float, high: float) -> str:
    """An interval of a difference of ln(steps) in words, as 0.1 % to 1.1 % more."""
    ends = [math.expm1(low), math.expm1(high)]
    if low < 0 < high:
        return f"{fine_percent(-ends[0])} fewer to {fine_percent(ends[1])} more"
    return " to ".join(f"{100 * end:.1f} %" for end in sorted(map(abs, ends)))


def percent(share: float) -> str:
    """A share, as 36 % or −8 %."""
    text = f"{100 * share:.0f} %"
    return text.lstrip("-") if text == "-0 %" else text.replace("-", "−")


def fine_percent(share: float) -> str:
    """A share that is not below 0, with a decimal where it is small: 36 %, 0.6 %."""
    return percent(share) if share >= 0.0995 else f"{100 * share:.1f} %"


def listed(parts: Iterable[object]) -> str:
    """Words in a row, as a, b and c."""
    words = [str(part) for part in parts]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else "nothing"
