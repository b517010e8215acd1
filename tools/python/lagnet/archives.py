"""Archives of files, zip: the same bytes from the same files, and read without trust in who made them."""

from __future__ import annotations

import hashlib
import os
import pathlib
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from .errors import InputError

EARLIEST = (1980, 1, 1, 0, 0, 0)  # the first day that a zip archive knows
MOST_MEMBERS = 100_000
LARGEST_IN_ALL = 4 << 30  # bytes of all members, unpacked
LARGEST_LIST = 64 << 20  # bytes of the list of members
MOST_SHOWN = 20  # problems of an archive
PIECE = 1 << 20
LONGEST_NAME = 1000


def digest_of(path: pathlib.Path) -> str:
    """The SHA-256 of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(files: Mapping[str, pathlib.Path], out: pathlib.Path, replace: bool) -> None:
    """Packs files by their names in the archive. Another archive is replaced only if asked."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=out.parent, prefix=f".{out.name}.", delete=False) as made:
        temporary = pathlib.Path(made.name)
    try:
        with zipfile.ZipFile(temporary, "w") as archive:
            for name in sorted(files):
                info = zipfile.ZipInfo(name, EARLIEST)
                info.create_system = 3  # whose modes follow
                info.external_attr = (stat.S_IFREG | 0o644) << 16
                info.compress_type = zipfile.ZIP_DEFLATED
                info.file_size = files[name].stat().st_size
                with open(files[name], "rb") as source, archive.open(info, "w") as target:
                    shutil.copyfileobj(source, target, PIECE)
        if out.exists() and not replace and (not out.is_file() or digest_of(out) != digest_of(temporary)):
            raise InputError(f"{out}: expected a new file, found another one; choose another name, or ask to replace "
                             "it")
        os.chmod(temporary, 0o644)
        os.replace(temporary, out)
    finally:
        temporary.unlink(missing_ok=True)


def problem_of_name(name: str) -> str:
    """What makes a name one that no archive of ours has; "" if it is fine."""
    parts = name.split("/")
    if len(name) > LONGEST_NAME or any(ord(letter) < 32 or ord(letter) == 127 for letter in name):
        return f"a name of at most {LONGEST_NAME} printable characters"
    if name.startswith("/") or "\\" in name or ":" in parts[0] or not all(parts) or {".", ".."} & set(parts):
        return "a name within the folder"
    return ""


def _wrong_members(archive: zipfile.ZipFile) -> list[str]:
    """All members that are not plain files within the folder, with distinct names."""
    wrong, seen = [], set()
    for info in archive.infolist():
        shown = repr(info.filename[:100])
        if expected := problem_of_name(info.orig_filename):
            wrong.append(f"{shown}: expected {expected}, found another one")
        elif info.filename.casefold() in seen:
            wrong.append(f"{shown}: expected one member of this name, found several")
        seen.add(info.filename.casefold())
        mode = info.external_attr >> 16
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG) or info.is_dir():
            kind = "a symbolic link" if stat.S_ISLNK(mode) else "something else"
            wrong.append(f"{shown}: expected a file, found {kind}")
        if info.flag_bits & 0x1:
            wrong.append(f"{shown}: expected a readable member, found an encrypted one")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            wrong.append(f"{shown}: expected a member that is stored or deflated, found method {info.compress_type}")
    folders = {str(one) for info in archive.infolist() for one in pathlib.PurePosixPath(info.filename).parents}
    wrong += [f"{name!r}: expected a file or a folder, found both" for name in archive.namelist() if name in folders]
    return wrong


class Reader:
    """An archive with a list of its members, their lengths and digests. Nothing is unpacked before all of it has been
    read and compared with the list. Use it in a `with` statement."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        try:
            self._archive = zipfile.ZipFile(path)
        except FileNotFoundError:
            raise InputError(f"{path}: expected an archive, found nothing there") from None
        except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise InputError(f"{path}: expected an archive (zip), found another file: {error}") from None
        try:
            self._check()
        except BaseException:
            self._archive.close()
            raise

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: Any) -> None:
        self._archive.close()

    def _refuse(self, wrong: list[str]) -> None:
        if wrong:
            more = [f"{self.path}: and {len(wrong) - MOST_SHOWN} more"] if len(wrong) > MOST_SHOWN else []
            raise InputError("\n".join([*(f"{self.path}: {one}" for one in wrong[:MOST_SHOWN]), *more]))

    def _check(self) -> None:
        count = len(self._archive.infolist())
        if count > MOST_MEMBERS:
            self._refuse([f"expected at most {MOST_MEMBERS} members, found {count}"])
        self._refuse(_wrong_members(self._archive))
        size = sum(info.file_size for info in self._archive.infolist())
        if size > LARGEST_IN_ALL:
            self._refuse([f"expected at most {LARGEST_IN_ALL} bytes of members, found {size}"])

    def has(self, name: str) -> bool:
        return name in self._archive.NameToInfo

    def _pieces(self, name: str, limit: int) -> Iterator[bytes]:
        """The bytes of a member, as long as there are no more than the limit."""
        left = limit
        try:
            with self._archive.open(name) as member:
                while piece := member.read(min(PIECE, left + 1)):
                    left -= len(piece)
                    if left < 0:
                        raise InputError(f"{self.path}: {name!r}: expected at most {limit} bytes, found more")
                    yield piece
        except InputError:
            raise
        except (OSError, ValueError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
            raise InputError(f"{self.path}: {name!r}: expected a readable member, found a damaged one: "
                             f"{error}") from None

    def read(self, name: str) -> bytes:
        return b"".join(self._pieces(name, LARGEST_LIST))

    def unpack(self, members: Mapping[str, tuple[int, str]], listing: str, out: pathlib.Path) -> None:
        """Unpacks all members into a new folder, or into none. members: how many bytes each has, and its SHA-256; the
        listing is the only one beside them."""
        there = {info.filename for info in self._archive.infolist()}
        wrong = [f"{name!r}: expected it in the archive, found none" for name in members if name not in there]
        wrong += [f"{name!r}: expected no member that {listing} does not list, found one"
                  for name in sorted(there - set(members) - {listing})]
        self._refuse(wrong)
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise InputError(f"{out}: expected a new folder, or an empty one")
        out.parent.mkdir(parents=True, exist_ok=True)
        temporary = pathlib.Path(tempfile.mkdtemp(dir=out.parent, prefix=f".{out.name}."))
        try:
            for name in members:
                wrong += self._unpack(name, members[name], temporary)
            self._refuse(wrong)
            (temporary / listing).write_bytes(self.read(listing))
            os.chmod(temporary, 0o755)
            if out.exists():
                out.rmdir()
            os.rename(temporary, out)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)

    def _unpack(self, name: str, wanted: tuple[int, str], folder: pathlib.Path) -> list[str]:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        digest, length = hashlib.sha256(), 0
        with open(path, "xb") as file:
            for piece in self._pieces(name, wanted[0]):
                file.write(piece)
                digest.update(piece)
                length += len(piece)
        if (length, digest.hexdigest()) == wanted:
            return []
        return [f"{name!r}: expected {wanted[0]} bytes with the SHA-256 {wanted[1]}, found {length} with "
                f"{digest.hexdigest()}"]
