"""One-to-one assignment with an exact tie rule. Knows nothing of identities or slots."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

# C candidates, O options in order of preference, K = O with every private option once per candidate

# Scores are compared in units of 2⁻²⁴, the last place of a float32 between one half and one. As whole
# numbers their sums are exact in float64 (the solver only adds and subtracts), so "equal" is a fact and
# not a tolerance that depends on the order of summation.
RESOLUTION = 2.0**24
LOWEST = -(2.0**12)  # below, a log probability is as hopeless as any; sums keep room to be exact
EXACT = 2.0**53  # whole numbers up to here are floats


def assign(scores_CO: NDArray[np.float64], private_O: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The option of every candidate such that the summed score is greatest.

    Columns stand in order of preference; minus infinity forbids. A shared option serves one candidate,
    a private one serves each. Among equal sums the first candidate takes its most preferred option, then
    the second, and so on.
    """
    if len(scores_CO) == 0:
        return np.zeros(0, dtype=np.int64)
    whole_CO = _whole(scores_CO)
    whole_CK, option_K = _expanded(whole_CO, private_O)
    chosen_C = _solve(whole_CK)
    if not _is_unique(whole_CK, chosen_C):
        chosen_C = _first_in_order(whole_CK, option_K)
    return option_K[chosen_C]


def _whole(scores_CO: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores in units of the resolution; what is legal but hopeless is clamped and stays legal."""
    legal_CO = ~np.isneginf(scores_CO)
    # Ties are broken below the resolution, by a factor of one more than a row's options or the rows. The
    # solver's potentials are sums along a path of at most every row; it adds a cost and two of them.
    factor = 1 + max(len(scores_CO), int(legal_CO.sum(1).max()))
    assert 4 * len(scores_CO) * factor * -LOWEST * RESOLUTION <= EXACT, "too many candidates for exact sums"
    return np.where(legal_CO, np.rint(scores_CO.clip(LOWEST, -LOWEST) * RESOLUTION), -np.inf)


def _expanded(
    whole_CO: NDArray[np.float64], private_O: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    candidates = len(whole_CO)
    option_K = np.repeat(np.arange(len(private_O)), np.where(private_O, candidates, 1))
    whole_CK = whole_CO[:, option_K]
    for option in np.flatnonzero(private_O):
        own = np.where(np.eye(candidates, dtype=bool), whole_CO[:, [option]], -np.inf)
        whole_CK[:, option_K == option] = own
    return whole_CK, option_K


def _solve(whole_CK: NDArray[np.float64]) -> NDArray[np.int64]:
    _, chosen_C = linear_sum_assignment(whole_CK, maximize=True)
    return np.asarray(chosen_C, dtype=np.int64)


def _is_unique(whole_CK: NDArray[np.float64], chosen_C: NDArray[np.int64]) -> bool:
    """Charge every chosen pair one unit below the resolution: any other optimum becomes cheaper."""
    rows = np.arange(len(chosen_C))
    charged_CK = whole_CK * (len(chosen_C) + 1)
    charged_CK[rows, chosen_C] -= 1
    return bool((_solve(charged_CK) == chosen_C).all())


def _first_in_order(whole_CK: NDArray[np.float64], option_K: NDArray[np.int64]) -> NDArray[np.int64]:
    """Fix candidates one by one: preference breaks ties of the sum below its resolution."""
    columns = np.arange(len(option_K))
    chosen = []
    for _ in range(len(whole_CK)):
        legal = np.isfinite(whole_CK[0])
        ranked_CK = whole_CK * (legal.sum() + 1)
        ranked_CK[0, legal] += np.arange(legal.sum(), 0, -1)
        column = _solve(ranked_CK)[0]
        chosen.append(columns[column])
        whole_CK = np.delete(whole_CK[1:], column, axis=1)
        columns = np.delete(columns, column)
    return np.asarray(chosen, dtype=np.int64)
