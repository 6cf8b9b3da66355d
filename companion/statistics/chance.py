"""Tails of two distributions: chi-square with five degrees of freedom, and the binomial.

Both are closed forms, so that nothing but `math` is needed.
"""

from __future__ import annotations

import math


def chi_square_tail(statistic: float) -> float:
    """P(X >= statistic) for chi-square with five degrees of freedom.

    For odd degrees the incomplete gamma function ends in the error function: Q = erfc(sqrt(x/2)) +
    sqrt(2x/pi) exp(-x/2) (1 + x/3) (Abramowitz and Stegun, 26.4.4).
    """
    if statistic <= 0:
        return 1.0
    rest = math.sqrt(2 * statistic / math.pi) * math.exp(-statistic / 2) * (1 + statistic / 3)
    return min(1.0, math.erfc(math.sqrt(statistic / 2)) + rest)


def binomial_tail(successes: int, trials: int, chance: float) -> float:
    """P(X >= successes) for a binomial X, summed over the shorter side."""
    if successes <= 0:
        return 1.0
    if successes > trials:
        return 0.0
    if successes > trials * chance:
        return min(1.0, math.fsum(_binomial(k, trials, chance) for k in range(successes, trials + 1)))
    return max(0.0, 1.0 - math.fsum(_binomial(k, trials, chance) for k in range(successes)))


def _binomial(successes: int, trials: int, chance: float) -> float:
    ways = math.lgamma(trials + 1) - math.lgamma(successes + 1) - math.lgamma(trials - successes + 1)
    return math.exp(ways + successes * math.log(chance) + (trials - successes) * math.log1p(-chance))
