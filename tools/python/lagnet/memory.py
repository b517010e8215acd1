"""Arrays that stay where they lie: large ones are neither written to files nor copied. The run is one of this process,
and its results name the arrays by their digest, so that replay() asks for them again."""

from __future__ import annotations

import hashlib
import warnings
from typing import Any

from .arrays import doubles_of, is_sparse, pair_of, same_length
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


def in_scenario(document: Any) -> bool:
    """Whether the data of a scenario are arrays that stayed in memory."""
    data = document.get("data") if isinstance(document, dict) else None
    return isinstance(data, dict) and data.get("source") == "arrays"


def _offer(data: Any, name: str) -> Offer:
    import numpy as np

    X, y = pair_of(data, name)
    if len(X.shape) != 2:
        raise ScenarioError([Problem("/data", f"{name}: X of two dimensions", f"the shape {X.shape}")])
    labels = np.ascontiguousarray(doubles_of(y, f"{name}: y", 1))
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
    if given.dtype == np.float64 and given.flags.f_contiguous and given.ctypes.data % 16 == 0:
        return given
    _warn(name, "one of doubles in Fortran order, as np.asfortranarray(X) makes it,", bytes_of(given))
    return np.asfortranarray(doubles_of(given, f"{name}: X", 2))


def _sparse(X: Any, name: str) -> Any:
    import numpy as np

    made = X if X.format in ("csr", "csc") else X.tocsr()
    parts = (made.data, made.indices, made.indptr)
    entries = int(made.indptr[-1])
    if (made.dtype == np.float64 and made.indices.dtype == made.indptr.dtype == np.int32 and made.has_canonical_format
            and len(made.data) == len(made.indices) == entries and all(part.flags.c_contiguous for part in parts)):
        if made is not X:
            _warn(name, "a csr_matrix or csc_matrix", bytes_of(X))
        return made
    _warn(name, "a csr_matrix or csc_matrix of doubles, with places of 32 bits that are sorted,", bytes_of(X))
    doubles_of(made.data[:entries], f"{name}: X", 1)
    try:
        made.check_format(full_check=True)
    except ValueError as error:
        raise InputError(f"{name}: X: {error}") from None
    made = made.astype(np.float64, copy=True)
    made.prune()
    made.has_canonical_format = False
    made.sum_duplicates()
    if made.nnz > np.iinfo(np.int32).max:
        raise InputError(f"{name}: expected at most 2^31 - 1 entries, found {made.nnz}")
    made.indices, made.indptr = made.indices.astype(np.int32), made.indptr.astype(np.int32)
    return made
