"""Builds the wheel of the package: its module, and what pyproject.toml says of it."""

import pathlib
import tomllib
import zipfile

HERE = pathlib.Path(__file__).parent


def build_wheel(folder, settings=None, metadata=None):
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    name = f"{project['name'].replace('-', '_')}-{project['version']}"
    groups = "".join(f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in points.items())
                     for group, points in project["entry-points"].items())
    files = {"my_method.py": (HERE / "my_method.py").read_text(),
             f"{name}.dist-info/METADATA": "".join(f"{key}: {value}\n" for key, value in (
                 ("Metadata-Version", "2.1"), ("Name", project["name"]), ("Version", project["version"]))),
             f"{name}.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
             f"{name}.dist-info/entry_points.txt": groups}
    files[f"{name}.dist-info/RECORD"] = "".join(f"{path},,\n" for path in [*files, f"{name}.dist-info/RECORD"])
    wheel = f"{name}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(folder) / wheel, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return wheel
