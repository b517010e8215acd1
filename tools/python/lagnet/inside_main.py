"""Refuses to be imported in a sub-interpreter, where the compiled module would wait for ever for the
main one's lock."""

import importlib


def _is_main() -> bool:
    for name in ("_interpreters", "_xxsubinterpreters"):
        try:
            interpreters = importlib.import_module(name)
        except ImportError:
            continue
        main, current = interpreters.get_main(), interpreters.get_current()
        if isinstance(main, tuple):  # with where it comes from
            main, current = main[0], current[0]
        return bool(main == current)
    return True


if not _is_main():
    raise ImportError("lagnet cannot be imported in a sub-interpreter: import it in the main one, or use processes")
