"""The build backend of the Python package (PEP 517 and 660), of the standard library alone: it builds the program with
CMake and packs it. pyproject.toml names it.

Settings: `tree`, or the environment variable LAGNET_BUILD_TREE, is a build folder in which the program is built
already; nothing is compiled then. `build`, or LAGNET_BUILD, is where it is built otherwise, build/python by default."""

from __future__ import annotations

import os
import pathlib
import shutil
import sys
import tempfile
from typing import Any

import lagnet_archives as archives
import lagnet_build as build
import lagnet_stubs as stubs
from lagnet_project import ROOT, Project, own_files

Settings = dict[str, Any] | None

PACKAGE = ROOT / "tools" / "python" / "lagnet"
KEPT = (".py", ".pyi", "py.typed", ".js", ".css")


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    return []


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    return []


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    return []


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    project = Project.read()
    folder = pathlib.Path(metadata_directory) / project.info_folder
    folder.mkdir(parents=True)
    for name, content in archives.metadata(project).items():
        (folder / name).write_bytes(content)
    return folder.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def setting(settings: Settings, name: str, variable: str) -> pathlib.Path | None:
    given = (settings or {}).get(name) or os.environ.get(variable)
    return pathlib.Path(given).absolute() if given else None


def built_program(settings: Settings, stage: pathlib.Path) -> None:
    """The program and the scenarios that come with it, in the folder `lagnet` of the stage."""
    try:
        tree = setting(settings, "tree", "LAGNET_BUILD_TREE")
        if tree is None:
            tree = setting(settings, "build", "LAGNET_BUILD") or ROOT / "build" / "python"
            build.build(tree)
        build.install(tree, stage)
    except build.CannotBuild as error:
        # One line, and no traceback of what is not the reader's.
        print(f"lagnet: {error}", file=sys.stderr)
        sys.exit(1)


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    project = Project.read()
    with tempfile.TemporaryDirectory() as temporary:
        stage = pathlib.Path(temporary)
        built_program(config_settings, stage)
        package = stage / "lagnet"
        for path in sorted(PACKAGE.rglob("*")):
            if path.name.endswith(KEPT):
                target = package / path.relative_to(PACKAGE)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
        (package / "kinds.pyi").write_text(stubs.of_program(package / "bin" / "lagnet"), encoding="utf-8")
        return archives.write_wheel(project, stage, pathlib.Path(wheel_directory))


def build_editable(wheel_directory: str, config_settings: Settings = None,
                   metadata_directory: str | None = None) -> str:
    """A wheel that names the sources; the program is that of the release build, build/release/bin/lagnet."""
    with tempfile.TemporaryDirectory() as temporary:
        stage = pathlib.Path(temporary)
        (stage / "lagnet.pth").write_text(f"{PACKAGE.parent}\n", encoding="utf-8")
        return archives.write_wheel(Project.read(), stage, pathlib.Path(wheel_directory))


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    return archives.write_sdist(Project.read(), list(own_files()), pathlib.Path(sdist_directory))
