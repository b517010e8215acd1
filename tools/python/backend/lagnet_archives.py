"""Wheels (PEP 427) and source archives (PEP 517), the same bytes from the same files."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import os
import pathlib
import tarfile
import time
import zipfile

from lagnet_project import ROOT, Project

EARLIEST = 315532800  # 1980-01-01, the first day that a zip archive knows


def moment() -> int:
    """The time that files in archives have: SOURCE_DATE_EPOCH, or else the earliest."""
    return max(EARLIEST, int(os.environ.get("SOURCE_DATE_EPOCH", EARLIEST)))


def core_metadata(project: Project) -> bytes:
    """METADATA, or PKG-INFO (version 2.1)."""
    table = project.table
    lines = ["Metadata-Version: 2.1", f"Name: {table['name']}", f"Version: {project.version}",
             f"Summary: {table['description']}", f"License: {table['license']['text']}",
             f"Requires-Python: {table['requires-python']}"]
    lines += [f"Requires-Dist: {one}" for one in table["dependencies"]]
    for extra, packages in table["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f"Requires-Dist: {one}; extra == '{extra}'" for one in packages]
    readme = (ROOT / table["readme"]).read_text(encoding="utf-8")
    return ("\n".join([*lines, "Description-Content-Type: text/markdown", "", readme])).encode()


def metadata(project: Project) -> dict[str, bytes]:
    """The files of the folder .dist-info, but for RECORD."""
    points = {"console_scripts": project.table["scripts"], **project.table.get("entry-points", {})}
    listed = "\n".join(f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in named.items())
                       for group, named in points.items())
    wheel = ("Wheel-Version: 1.0\nGenerator: lagnet_backend\nRoot-Is-Purelib: false\n"
             f"Tag: {project.tag}\n")
    return {"METADATA": core_metadata(project), "WHEEL": wheel.encode(), "LICENSE": (ROOT / "LICENSE").read_bytes(),
            "entry_points.txt": listed.encode()}


def record_line(name: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def write_wheel(project: Project, stage: pathlib.Path, folder: pathlib.Path) -> str:
    """Packs the files of the stage with the metadata, and gives the name of the archive."""
    name = f"{project.full_name}-{project.tag}.whl"
    date = time.gmtime(moment())[:6]
    record = ""
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as archive:
        def add(path: str, content: bytes, mode: int = 0o644) -> None:
            info = zipfile.ZipInfo(path, date)
            info.external_attr = (0o100000 | mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)

        for path in sorted(stage.rglob("*")):
            if path.is_file():
                inner, content = path.relative_to(stage).as_posix(), path.read_bytes()
                add(inner, content, 0o755 if os.access(path, os.X_OK) else 0o644)
                record += record_line(inner, content)
        for inner, content in metadata(project).items():
            add(f"{project.info_folder}/{inner}", content)
            record += record_line(f"{project.info_folder}/{inner}", content)
        own = f"{project.info_folder}/RECORD"
        add(own, f"{record}{own},,\n".encode())
    return name


def write_sdist(project: Project, names: list[str], folder: pathlib.Path) -> str:
    """Packs the files of the sources; the name of the file."""
    name = f"{project.full_name}.tar.gz"
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        def add(path: str, content: bytes, mode: int) -> None:
            info = tarfile.TarInfo(f"{project.full_name}/{path}")
            info.size, info.mode, info.mtime = len(content), mode, moment()
            archive.addfile(info, io.BytesIO(content))

        add("PKG-INFO", core_metadata(project), 0o644)
        for path in names:
            add(path, (ROOT / path).read_bytes(), 0o755 if os.access(ROOT / path, os.X_OK) else 0o644)
    (folder / name).write_bytes(gzip.compress(packed.getvalue(), mtime=moment()))
    return name
