"""Builds the program and the module with CMake, and says which Debian packages are missing where that cannot be
done."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

from lagnet_project import ROOT

PROGRAMS = {"g++": "g++", "cmake": "cmake", "ninja": "ninja-build"}  # and the packages that have them
NEEDED = ("build.txt", "python.txt")  # of tools/packages


class CannotBuild(Exception):
    """Why the program cannot be built, in a sentence."""


def needed_packages() -> list[str]:
    """The Debian packages that the program and the module are built with."""
    text = "".join((ROOT / "tools" / "packages" / name).read_text(encoding="utf-8") for name in NEEDED)
    lines = [line.split("#")[0].strip() for line in text.splitlines()]
    return [line for line in lines if line]


def missing_packages() -> list[str]:
    """Those that are not installed; without dpkg-query, those whose programs are not found."""
    try:
        listed = subprocess.run(["dpkg-query", "--show", "--showformat", "${db:Status-Status} ${Package}\n"],
                                capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return [package for program, package in PROGRAMS.items() if not shutil.which(program)]
    installed = {line.split()[1] for line in listed.splitlines() if line.startswith("installed ")}
    return [package for package in needed_packages() if package not in installed]


def demand(packages: list[str]) -> CannotBuild:
    return CannotBuild("Debian packages are missing that it is built with; as root, run: "
                       "apt-get install --no-install-recommends " + " ".join(packages))


def run(command: list[str]) -> None:
    """Passes on each line when it comes: `pip install -v` shows how far the build is."""
    environment = {**os.environ, "npm_config_fetch_retries": "0"}  # without a network it goes on without reports
    said = ""
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as running:
        for line in running.stdout or ():
            print(line, end="", flush=True)
            said += line
    if running.returncode != 0:
        raise CannotBuild(f"{' '.join(command[:2])} ended with status {running.returncode}:\n{said.strip()[-4000:]}")


def build(tree: pathlib.Path) -> None:
    """Builds both in this folder, as the preset `release` does, so that its bits are the same."""
    absent = {package for program, package in PROGRAMS.items()
              if not shutil.which(program) and not (program == "g++" and os.environ.get("CXX"))}
    if absent:
        raise demand(sorted(absent | set(missing_packages())))
    try:
        run(["cmake", "--preset", "release", "-B", str(tree), "-D", "LAGNET_TESTS=OFF", "-D", "LAGNET_BENCHMARKS=OFF",
             "-D", f"Python3_EXECUTABLE={sys.executable}"])
    except CannotBuild:
        packages = missing_packages()
        if packages:
            raise demand(packages) from None
        raise
    if not (tree / "tools" / "python" / "module").is_dir():
        raise demand(missing_packages() or ["python3-dev", "pybind11-dev"])
    run(["cmake", "--build", str(tree), "--target", "lagnet", "lagnet_core"])


def install(tree: pathlib.Path, stage: pathlib.Path) -> None:
    """Puts the component `python` of a tree in which the program is built into a folder."""
    cache = tree / "CMakeCache.txt"
    if not cache.is_file():
        raise CannotBuild(f"{tree}: expected a build folder of lagnet, found no CMakeCache.txt in it")
    source = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", cache.read_text(encoding="utf-8"), re.M)
    folder = source[1] if source else "nothing"
    if not source or not os.path.samefile(folder, ROOT):
        raise CannotBuild(f"{tree}: expected a build folder of {ROOT}, found one of {folder}")
    module = f"_core{sysconfig.get_config_var('EXT_SUFFIX')}"
    if not (tree / "tools" / "python" / "module").is_dir():
        raise CannotBuild(f"{tree}: expected a build folder with the module for Python, found one without it; it needs "
                          f"the Debian packages python3-dev and pybind11-dev, and then: cmake {tree}")
    # tools/quickstart builds the program alone.
    for what, place in (("the program lagnet", tree / "bin" / "lagnet"),
                        ("the module for this Python", tree / "python" / "lagnet" / module)):
        if not place.is_file():
            raise CannotBuild(f"{tree}: expected {what} to be built there, found no {place.relative_to(tree)}; run: "
                              f"cmake --build {tree} --target lagnet lagnet_core")
    run(["cmake", "--install", str(tree), "--prefix", str(stage), "--component", "python", "--strip"])
