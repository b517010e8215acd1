"""Refuses to be imported where the packages are missing with which methods are proven. Modules that need them import
this one first, so that what is missing is told and not only found."""

from __future__ import annotations

import importlib

from ..errors import InputError

for _name in ("numpy", "hypothesis"):
    try:
        importlib.import_module(_name)
    except ImportError:
        raise InputError(f"expected the Python packages numpy and hypothesis, which draw worlds, found no {_name}: pip "
                         "install 'lagnet[testing]', or on Debian: apt-get install python3-numpy python3-hypothesis "
                         "python3-pytest") from None
