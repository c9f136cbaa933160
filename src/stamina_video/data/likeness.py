"""How far two sets of pictures lie apart to a pretrained encoder. Knows feature vectors only."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stamina_video.semantics import InvalidInput

Vectors = NDArray[np.float64]

COMPONENTS = 24  # principal directions of both sets together: more than the pictures could fill
FOLDS = 5
RIDGE = 10.0  # of the classifier, on features of spread one


@dataclass(frozen=True, slots=True)
class Distance:
    """Two sets apart: nought and a half where nothing tells them apart."""

    frechet: float  # between normal distributions over the principal components, per component
    means: float  # squared distance of the means over the mean spread within the sets
    told_apart: float  # share a linear classifier gets right on groups it has not seen


def distance(
    one_N: Vectors, groups_one: Sequence[str], other_N: Vectors, groups_other: Sequence[str]
) -> Distance:
    """Both sets weigh the same, however many pictures they have; a group is one clip or scene."""
    if min(len(set(groups_one)), len(set(groups_other))) < FOLDS:
        raise InvalidInput(f"expected pictures of at least {FOLDS} clips or scenes on either side")
    joined = np.concatenate([one_N, other_N])
    weights = np.concatenate([np.full(len(part), 0.5 / len(part)) for part in (one_N, other_N)])
    centred = joined - weights @ joined
    scaled = centred / (np.sqrt(weights @ centred**2) + 1e-9)
    _, directions = np.linalg.eigh((scaled * weights[:, None]).T @ scaled)
    kept = scaled @ directions[:, ::-1][:, :COMPONENTS]
    kept /= np.sqrt(weights @ kept**2) + 1e-9
    one, other = kept[: len(one_N)], kept[len(one_N) :]
    is_one = np.arange(len(kept)) < len(one_N)
    within = (one.var(0) + other.var(0)).sum() / 2
    return Distance(
        _frechet(one, other) / COMPONENTS,
        float(((one.mean(0) - other.mean(0)) ** 2).sum() / within),
        _told_apart(kept, is_one, [*(f"one {g}" for g in groups_one), *(f"other {g}" for g in groups_other)]),
    )


def halves(vectors_N: Vectors, groups: Sequence[str]) -> Distance:
    """The distance of every other clip from the rest: as near as two sets of such pictures come."""
    order = {name: index for index, name in enumerate(sorted(set(groups)))}
    even = np.array([order[group] % 2 == 0 for group in groups])
    return distance(
        vectors_N[even],
        [group for group, is_even in zip(groups, even, strict=True) if is_even],
        vectors_N[~even],
        [group for group, is_even in zip(groups, even, strict=True) if not is_even],
    )


def _frechet(one: Vectors, other: Vectors) -> float:
    first, second = np.cov(one.T), np.cov(other.T)
    root = _root(first)
    shared = np.linalg.eigvalsh(root @ second @ root)
    apart = ((one.mean(0) - other.mean(0)) ** 2).sum()
    return float(apart + np.trace(first) + np.trace(second) - 2 * np.sqrt(np.maximum(shared, 0)).sum())


def _root(matrix: Vectors) -> Vectors:
    values, vectors = np.linalg.eigh(matrix)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T)


def _told_apart(kept: Vectors, is_one: NDArray[np.bool_], groups: Sequence[str]) -> float:
    """Balanced accuracy of ridge regression on the sign, over folds that split no group."""
    fold_of = {name: index % FOLDS for index, name in enumerate(sorted(set(groups)))}
    fold = np.array([fold_of[group] for group in groups])
    right = np.zeros(len(kept))
    for held_out in range(FOLDS):
        train, test = fold != held_out, fold == held_out
        sides = np.where(is_one, 0.5 / max(is_one[train].sum(), 1), -0.5 / max((~is_one[train]).sum(), 1))
        weights = np.abs(sides[train])
        features = np.concatenate([kept, np.ones((len(kept), 1))], axis=1)
        normal = (features[train] * weights[:, None]).T @ features[train]
        normal += RIDGE / len(kept) * np.eye(len(normal))
        solution = np.linalg.solve(normal, (features[train] * weights[:, None]).T @ np.sign(sides[train]))
        right[test] = (features[test] @ solution > 0) == is_one[test]
    return float((right[is_one].mean() + right[~is_one].mean()) / 2)
