#!/usr/bin/env python3
"""Holds the #include lines of every room against the arrows of the house: who may know whom.

  include_arrows.py ROOT
"""

import pathlib
import re
import sys

# Each room and the other rooms whose headers it may include.
ARROWS = {
    "flood_guard": [],
    "collectors/sql": [],
    "agent/include": [],
    "agent/config": [],
    "agent/platform": ["agent/config"],
    "agent/hooks": ["agent/config", "agent/platform"],
    "agent/store": ["agent/config", "agent/platform", "flood_guard"],
    "agent/worker": ["agent/config", "agent/platform", "agent/hooks", "agent/store", "flood_guard", "collectors/sql"],
    "agent/abi": ["agent", "console"],  # joins everything
    "console/bar": [],
    "console/ui": [],
    "console/server": ["agent/config", "agent/platform", "agent/store"],
    "console/api": ["agent/config", "agent/platform", "agent/store", "console/server"],
    "collectors": ["collectors/sql"],  # collectors and hosts see the public headers and their own library
    **{f"collectors/{name}": ["collectors/sql", "collectors/preload"] for name in ("sqlite", "postgres", "mysql", "curl")},
    "collectors/preload": [],
    "perf/shop": [],
    "perf/micro": ["agent", "console", "collectors/sql", "flood_guard"],
    "docs/examples": [],
    "tests/abi": ["tests"],
    "tests/host": ["tests"],
}
# Who may include the public headers besides themselves.
USES_PUBLIC = ["agent/include", "agent/hooks", "agent/abi", "collectors", "perf", "docs/examples", "tests"]

STANDARD_C = {f"{name}.h" for name in ("stdbool", "stddef", "stdint")}
EXTRA_STANDARD = {"cxxabi.h"}  # names of types, part of every C++ ABI that GCC and Clang speak
# Rooms that see the standard library alone.
STANDARD_ONLY = ["flood_guard", "agent/include"]
# What a hook must not even be tempted by: locks, threads, streams and files.
NOT_IN_HOOKS = {"mutex", "shared_mutex", "condition_variable", "thread", "future", "iostream", "fstream", "sstream",
                "cstdio", "stdio.h", "filesystem", "functional"}

JSON = "agent/config/json.hpp"

SUFFIXES = {".h", ".hpp", ".c", ".cpp", ".in"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def room_of(path: str) -> str | None:
    inside = [room for room in ARROWS if path.startswith(room + "/")]
    return max(inside, key=len) if inside else None


def within(path: str, rooms: list[str]) -> bool:
    return any(path == room or path.startswith(room + "/") for room in rooms)


def is_standard(header: str) -> bool:
    return re.fullmatch(r"[a-z_]+", header) is not None or header in STANDARD_C | EXTRA_STANDARD


def check_ours(root: pathlib.Path, room: str, included: str) -> str | None:
    if not (root / included).exists():
        # Perhaps written by the build, from a template in the same room.
        template = any((root / room).rglob(pathlib.PurePath(included).name + ".in"))
        return None if template else "is no header of ours; includes are written from the repository's root"
    target = room_of(included)
    if target == room or within(included, ARROWS[room]):
        return None
    return f"{room} may not know {target or included}"


def check_foreign(room: str, path: str, included: str) -> str | None:
    if included.startswith("inlens/"):
        return None if within(path, USES_PUBLIC) else f"{room} may not know the public headers"
    if room in STANDARD_ONLY and not is_standard(included):
        return f"{room} sees the standard library alone"
    if included == "nlohmann/json.hpp" and within(path, ["agent", "console"]) and path != JSON:
        return f"{JSON} makes it safe where memory is refused"
    if room == "agent/hooks" and included in NOT_IN_HOOKS:
        return "hooks take no lock and do no input or output"
    return None


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    wrong, files = [], 0
    for room in ARROWS:
        for path in sorted((root / room).rglob("*")):
            relative = path.relative_to(root).as_posix()
            if path.suffix not in SUFFIXES or room_of(relative) != room or "node_modules" in path.parts:
                continue
            files += 1
            text = path.read_text(encoding="utf-8")
            for ours, foreign in INCLUDE.findall(text):
                reason = check_ours(root, room, ours) if ours else check_foreign(room, relative, foreign)
                if reason:
                    wrong.append(f'{relative}: includes {ours or foreign}: {reason}')
    for line in wrong:
        print(line)
    print(f"{files} files, {len(wrong)} wrong includes")
    return 1 if wrong or files < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
