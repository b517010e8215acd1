"""Arrays that stay where they lie: large ones are neither written to files nor copied. The run is one of this process,
and its results name the arrays by their digest, so that replay() asks for them again."""

from __future__ import annotations

import hashlib
import json
import pathlib
import warnings
from typing import Any

from .arrays import is_sparse, pair_of, same_length
from .errors import InputError, Problem, RunWarning, ScenarioError

LARGEST_IN_FILES = 64 << 20  # bytes of X; up to here files beside the results are worth more: any program can replay
LARGEST_UNSAID = 64 << 20  # bytes that are copied without a warning

Offer = tuple[str, Any, Any]  # digest, X, y


def bytes_of(X: Any) -> int:
    """The memory of a matrix; 0 of what is no array."""
    if is_sparse(X):
        return int(X.nnz) * 12
    return int(getattr(X, "size", 0)) * 8 if hasattr(X, "dtype") or hasattr(X, "to_numpy") else 0


def is_large(data: Any) -> bool:
    return bytes_of(pair_of(data, "data")[0]) > LARGEST_IN_FILES


def offers_of(data: Any, test: Any = None) -> tuple[dict[str, Any], list[Offer]]:
    """The section `data` of a scenario, and what is offered for it."""
    offers = [_offer(data, "data")]
    section = {"source": "arrays", "sha256": offers[0][0]}
    if test is not None:
        offers.append(_offer(test, "test"))
        if offers[1][1].shape[1] != offers[0][1].shape[1]:
            raise ScenarioError([Problem("/data", f"{offers[0][1].shape[1]} features in the tests too",
                                         str(offers[1][1].shape[1]))])
        section["test_sha256"] = offers[1][0]
    return section, offers


def recorded(folder: pathlib.Path) -> bool:
    """Whether the results in the folder are of arrays that stayed in memory."""
    try:
        document = json.loads((folder / "scenario.json").read_text(encoding="utf-8"))
        return bool(document["data"]["source"] == "arrays")
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _offer(data: Any, name: str) -> Offer:
    import numpy as np

    X, y = pair_of(data, name)
    labels = np.ascontiguousarray(y, dtype=np.float64)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if len(X.shape) != 2 or labels.ndim != 1:
        raise ScenarioError([Problem("/data", f"{name}: X of two dimensions and y of one",
                                     f"the shapes {X.shape} and {labels.shape}")])
    same_length(X.shape[0], len(labels), name)
    X = _sparse(X, name) if is_sparse(X) else _dense(X, name)
    digest = hashlib.sha256()
    if is_sparse(X):
        digest.update(f"{X.format} {X.shape[0]} {X.shape[1]}\n".encode())
        parts = [X.indptr, X.indices, X.data]
    else:
        digest.update(f"dense {X.shape[0]} {X.shape[1]}\n".encode())
        parts = [X.T]
    for part in [*parts, labels]:
        digest.update(part)
    return digest.hexdigest(), X, labels


def _warn(name: str, how: str, size: int) -> None:
    if size > LARGEST_UNSAID:
        warnings.warn(f"{name}: X, {size / 1e9:.3g} GB, is copied: {how} is used where it lies", RunWarning,
                      stacklevel=7)


def _dense(X: Any, name: str) -> Any:
    import numpy as np

    given = np.asarray(X.to_numpy() if hasattr(X, "to_numpy") else X)
    if given.dtype.kind not in "fiub":
        raise ScenarioError([Problem("/data", f"{name}: X of real numbers", f"an array of {given.dtype}")])
    if given.dtype == np.float64 and given.flags.f_contiguous and given.ctypes.data % 16 == 0:
        return given
    _warn(name, "one of doubles in Fortran order, as np.asfortranarray(X) makes it,", bytes_of(given))
    return np.array(given, dtype=np.float64, order="F")


def _sparse(X: Any, name: str) -> Any:
    import numpy as np

    made = X if X.format in ("csr", "csc") else X.tocsr()
    if made.dtype == np.float64 and made.indices.dtype == made.indptr.dtype == np.int32 and made.has_canonical_format:
        if made is not X:
            _warn(name, "a csr_matrix or csc_matrix", bytes_of(X))
        return made
    _warn(name, "a csr_matrix or csc_matrix of doubles, with places of 32 bits that are sorted,", bytes_of(X))
    made = made.astype(np.float64, copy=True)
    made.sum_duplicates()
    if made.nnz > np.iinfo(np.int32).max:
        raise InputError(f"{name}: expected at most 2^31 - 1 entries, found {made.nnz}")
    made.indices, made.indptr = made.indices.astype(np.int32), made.indptr.astype(np.int32)
    return made
