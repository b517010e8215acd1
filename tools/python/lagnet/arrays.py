"""Arrays in memory as files that the program reads, with every bit: numbers are written in the shortest form that reads
back as the same double. Minus zero is the only one that does not come through; the program takes it for zero."""

from __future__ import annotations

import hashlib
import pathlib
import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .errors import Problem, ScenarioError

FOLDER = "lagnet-inputs"  # beside results, so that these find it when both move

Rows = Iterable[Sequence[float]]


def data_section(data: Any, folder: pathlib.Path, test: Any = None) -> dict[str, Any]:
    """The section `data` of a scenario for (X, y), X of shape (samples, features) and y of shape (samples,): files in
    the folder, whose names follow from what is in them, and how they are read. `test` has samples for tests alone."""
    X, _ = pair_of(data, "data")
    if is_sparse(X):
        section: dict[str, Any] = {"source": "libsvm", "storage": "sparse", "features": int(X.shape[1])}
        suffix = ".libsvm"
    else:
        names = _names(X)
        section = {"source": "csv", "storage": "dense", "header": "present" if names else "absent"}
        if names:
            section["label_name"] = _label_name(names)
        suffix = ".csv"
    section["path"] = str(_file(data, folder, suffix, "data"))
    if test is not None:
        if is_sparse(pair_of(test, "test")[0]) != is_sparse(X):
            raise ScenarioError([Problem("/data/test_path", "dense samples for tests beside dense ones, or sparse "
                                         "beside sparse ones", "one of each")])
        section["test_path"] = str(_file(test, folder, suffix, "test"))
    return section


def pair_of(data: Any, name: str) -> tuple[Any, Any]:
    if not isinstance(data, (tuple, list)) or len(data) != 2:
        raise TypeError(f"{name}: expected a pair of arrays, (X, y), found {type(data).__name__}")
    return data[0], data[1]


def is_sparse(X: Any) -> bool:
    return type(X).__module__.split(".")[0] == "scipy" and hasattr(X, "tocsr")


def _names(X: Any) -> list[str]:
    """The columns of a data frame."""
    columns = getattr(X, "columns", None)
    return [] if columns is None else [str(name) for name in columns]


def _label_name(names: list[str]) -> str:
    """A name for the labels beside those of the columns."""
    label = "label"
    while label in names:
        label += "_"
    return label


def _refuse(where: str, expected: str, found: str) -> ScenarioError:
    return ScenarioError([Problem("/data", expected, found, f"/data: {where}")])


def _bad_value(column: Any) -> tuple[int, Any] | None:
    """The first value that is no number, with its row."""
    for row, value in enumerate(column):
        try:
            float(value)
        except (TypeError, ValueError):
            return row, value
    return None


def _recipe(name: str, column: Any) -> str:
    """How a column of a frame becomes numbers."""
    known = column.dropna()
    if column.dtype.kind in "Mm":
        return f"(frame[{name!r}] - pandas.Timestamp(0)) / pandas.Timedelta(days=1) makes days of it"
    if _bad_value(known) is None:
        return f"frame[{name!r}].astype(float).fillna(frame[{name!r}].mean()) fills it"
    texts = sorted({str(value) for value in known})
    if len(texts) == 2:
        return f"frame[{name!r}].map({{{texts[0]!r}: 0, {texts[1]!r}: 1}}) makes numbers of it"
    return f"pandas.get_dummies(frame, columns=[{name!r}], dtype=float) makes columns of 0 and 1 of it"


def _check_frame(frame: Any, where: str) -> None:
    """Refuses all columns of a frame that are not numeric, each with its first culprit and with what makes numbers of
    it."""
    import numpy as np

    problems = []
    for k, name in enumerate(_names(frame)):
        column = frame.iloc[:, k]
        values = column.to_numpy()
        is_object = values.dtype.kind not in "fiub"
        if values.dtype.kind == "c":
            row, value = 0, values[0]
        elif values.dtype.kind in "Mm":
            row, value = 0, str(column.iloc[0])
        elif is_object and (bad := _bad_value(values)):
            row, value = bad
        elif not is_object and values.dtype.kind == "f" and not np.isfinite(values).all():
            row = int(np.argwhere(~np.isfinite(values))[0][0])
            value = float(values[row])
        elif is_object and column.isna().any():
            row = int(np.argwhere(column.isna().to_numpy())[0][0])
            value = values[row]
        else:
            continue
        expected = "real numbers" if values.dtype.kind == "c" else f"finite numbers ({_recipe(name, column)})"
        problems.append(Problem("/data", expected, f"{value!r:.60} in row {row}", f"/data: {where}: column {name!r}"))
    if problems:
        raise ScenarioError(problems)


def doubles_of(values: Any, where: str, dimensions: int) -> Any:
    """A NumPy array of doubles. Numbers that no double holds are refused."""
    import numpy as np

    mask: Any = getattr(values, "mask", None)  # of an array of numpy.ma
    if isinstance(values, np.ma.MaskedArray) and np.any(mask):
        place = [int(k) for k in np.argwhere(mask)[0]]
        raise _refuse(where, "no masked entries, which have no number (leave them out, or .filled(value))",
                      f"one at {place}")
    if hasattr(values, "iloc") and hasattr(values, "columns"):
        _check_frame(values, where)
    given = np.asarray(values.to_numpy() if hasattr(values, "to_numpy") else values)
    if given.ndim == 2 and dimensions == 1 and given.shape[1] == 1:
        given = given[:, 0]
    if given.ndim != dimensions:
        raise _refuse(where, f"an array of {dimensions} dimension{'s' if dimensions > 1 else ''}",
                      f"the shape {given.shape}")
    if given.dtype.kind == "O":
        try:
            given = given.astype(float)
        except (TypeError, ValueError):
            bad = _bad_value(given.flat)
            place = [int(k) for k in np.unravel_index(bad[0], given.shape)] if bad else []
            raise _refuse(where, "numbers", f"{bad[1]!r:.60} at {place}" if bad else "none") from None
    if given.dtype.kind not in "fiub":
        raise _refuse(where, "real numbers", f"an array of {given.dtype}")
    doubles = given.astype(np.float64)
    if given.dtype.kind in "iu" and not np.array_equal(doubles.astype(given.dtype), given):
        raise _refuse(where, "integers that a double holds", f"an array of {given.dtype} with larger ones")
    if given.dtype.itemsize > 8 and not np.array_equal(doubles, given, equal_nan=True):
        raise _refuse(where, "numbers that a double holds", f"an array of {given.dtype} with others")
    if not np.isfinite(doubles).all():
        place = [int(k) for k in np.argwhere(~np.isfinite(doubles))[0]]
        raise _refuse(where, "finite numbers", f"{float(doubles[tuple(place)])!r} at {place}")
    return doubles


def same_length(rows: int, labels: int, name: str) -> None:
    if rows != labels:
        raise _refuse(name, f"a label for each of {rows} samples", str(labels))


def _csv_lines(X: Any, y: Any, names: list[str]) -> Iterator[str]:
    if names:
        yield ",".join('"' + name.replace('"', '""') + '"' for name in [*names, _label_name(names)]) + "\n"
    for row, label_of_row in zip(X, y):
        numbers = row.tolist() if hasattr(row, "tolist") else row
        yield ",".join(map(repr, [*numbers, label_of_row])) + "\n"


def _libsvm_lines(X: Any, y: Any) -> Iterator[str]:
    ends, columns, values = X.indptr.tolist(), X.indices, X.data
    for row, label in enumerate(y):
        begin, end = ends[row], ends[row + 1]
        entries = zip((columns[begin:end] + 1).tolist(), values[begin:end].tolist())
        yield " ".join([repr(label), *(f"{index}:{value!r}" for index, value in entries)]) + "\n"


def _file(data: Any, folder: pathlib.Path, suffix: str, name: str) -> pathlib.Path:
    X, y = pair_of(data, name)
    if suffix == ".libsvm":
        doubles_of(X.tocoo().data, f"{name}: X", 1)
        X = X.tocsr().astype("float64")
        X.sum_duplicates()
        X.sort_indices()
        doubles_of(X.data, f"{name}: X", 1)
        labels = doubles_of(y, f"{name}: y", 1).tolist()
        same_length(X.shape[0], len(labels), name)
        return _written(_libsvm_lines(X, labels), folder, suffix)
    names = _names(X)
    try:
        import numpy  # noqa: F401, where it is there, it checks and converts
    except ImportError:
        rows = [[float(value) for value in row] for row in X]
        labels = [float(value) for value in y]
    else:
        rows = doubles_of(X, f"{name}: X", 2)
        labels = doubles_of(y, f"{name}: y", 1).tolist()
    same_length(len(rows), len(labels), name)
    return _written(_csv_lines(rows, labels, names), folder, suffix)


def write_text(lines: Iterator[str], folder: pathlib.Path, suffix: str) -> pathlib.Path:
    """A text file in the folder."""
    return _written(lines, folder, suffix)


def _written(lines: Iterator[str], folder: pathlib.Path, suffix: str) -> pathlib.Path:
    """A file with these lines, called by their digest: the same arrays are one file, which never changes."""
    folder.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    temporary = folder / f"{uuid.uuid4().hex}.partial"
    try:
        with open(temporary, "xb") as file:
            for line in lines:
                content = line.encode()
                digest.update(content)
                file.write(content)
        path = folder / (digest.hexdigest()[:20] + suffix)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return path.absolute()
