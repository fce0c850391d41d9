#!/usr/bin/env python3
"""Checks the built library as a host's loader sees it: what it gives, what it wants, and what it says.

  library.py exports LIBRARY HEADER     exactly the functions that the public header declares leave it
  library.py loading LIBRARY            pinned, dynamic TLS of at most 256 bytes, the allowed libraries alone
  library.py calls LIBRARY OBJECT…      none of our objects ends the process or prints
  library.py strings LIBRARY DIRECTORY  no path of the machine that built it
  library.py versions DOCS LIBRARY…     none wants newer runtimes than docs/embedding.md promises; one needs just those
"""

import pathlib
import re
import subprocess
import sys
import tempfile

NEEDED = {
    "libstdc++.so.6",
    "libm.so.6",
    "libgcc_s.so.1",
    "libc.so.6",  # threads and dlopen too, since glibc 2.34
    "ld-linux-x86-64.so.2",  # __tls_get_addr
}
TLS_LIMIT_BYTES = 256

# C functions and C++ streams that end the process, print, or start another program.
FORBIDDEN = re.compile(
    r"^(abort|exit|_exit|_Exit|quick_exit|raise|kill|__assert_fail|__assert_perror_fail|"
    r"(?:__)?v?f?printf(?:_chk)?|puts|putc|putchar|fputs|fputc|fwrite|perror|psignal|"
    r"stdout|stderr|_ZSt4cout|_ZSt4cerr|_ZSt4clog|"
    r"system|popen|fork|vfork|exec[lv]p?e?|posix_spawnp?)$"
)
# Why the linked library wants them all the same; none is reached on a path of ours.
ALLOWED_IN_LIBRARY = {
    "abort": "libsodium, when it is called against its contract",
    "raise": "libsodium, for a guarded allocation that was overwritten; none is made",
    "__assert_fail": "libsodium, as Debian builds it",
    "fwrite": "spdlog's file sink, which writes log.file",
    "fprintf": "spdlog's answer to its own failures when no error handler is set; one is",
    "stderr": "the same",
}
# The one object of ours that includes spdlog.
SPDLOG = {"fwrite", "fprintf", "stderr"}


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def undefined(path: str) -> set[str]:
    return {line.split()[-1].split("@")[0] for line in output("nm", "-u", path).splitlines()}


def check_exports(library: str, header: str) -> list[str]:
    text = re.sub(r"/\*.*?\*/|^#.*?$", "", pathlib.Path(header).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    declared = set(re.findall(r"INLENS_API\s[^;(]*?\b(\w+)\s*\(", text))
    rows = [line.split() for line in output("nm", "-D", "--defined-only", library).splitlines()]
    symbols = {row[2].split("@")[0]: row[1] for row in rows}
    versions = {name for name, kind in symbols.items() if kind == "A"}
    exported = set(symbols) - versions
    wrong = [f"exported but not declared: {name}" for name in sorted(exported - declared)]
    wrong += [f"declared but not exported: {name}" for name in sorted(declared - exported)]
    wrong += [f"exported, but not as a function: {name}" for name in sorted(exported) if symbols[name] != "T"]
    if versions != {"INLENS_1"}:
        wrong.append(f"symbol versions: {sorted(versions)}")
    if len(declared) < 30:
        wrong.append(f"only {len(declared)} declarations found in {header}")
    print(f"{len(exported)} exported, {len(declared)} declared")
    return wrong


def check_loading(library: str) -> list[str]:
    dynamic = output("readelf", "-dW", library)
    segments = output("readelf", "-lW", library)
    wrong = []
    needed = set(re.findall(r"\(NEEDED\).*\[(.*?)\]", dynamic))
    if needed - NEEDED:
        wrong.append(f"wants libraries that no host promised: {sorted(needed - NEEDED)}")
    flags = " ".join(re.findall(r"\(FLAGS(?:_1)?\)\s+(.*)", dynamic))
    if "STATIC_TLS" in flags:
        wrong.append("has static TLS: it could not be loaded once that is used up")
    if "NODELETE" not in flags:
        wrong.append("is not pinned: threads could be left in unmapped code")
    if "NOW" not in flags:
        wrong.append("resolves symbols lazily, inside hooks")
    for tag in ("TEXTREL", "RPATH", "RUNPATH"):
        if f"({tag})" in dynamic:
            wrong.append(f"has {tag}")
    tls = re.search(r"^\s+TLS\s+\S+ \S+ \S+ \S+ (0x[0-9a-f]+)", segments, re.MULTILINE)
    tls_bytes = int(tls[1], 16) if tls else 0
    if tls_bytes > TLS_LIMIT_BYTES:
        wrong.append(f"has {tls_bytes} bytes of TLS; the limit is {TLS_LIMIT_BYTES}")
    stack = re.search(r"^\s+GNU_STACK\s.*?\s(R\S*)\s", segments, re.MULTILINE)
    if not stack or "E" in stack[1]:
        wrong.append("wants an executable stack")
    print(f"{tls_bytes} bytes of TLS, flags {flags}, needs {' '.join(sorted(needed))}")
    return wrong


def check_calls(library: str, objects: list[str]) -> list[str]:
    wrong = []
    for path in objects:
        bad = sorted(name for name in undefined(path) if FORBIDDEN.match(name))
        allowed = SPDLOG if pathlib.Path(path).name.startswith("agent_log.") else set()
        wrong += [f"{pathlib.Path(path).name}: calls {name}" for name in bad if name not in allowed]
    linked = {line.split()[-1].split("@")[0] for line in output("nm", "-D", "-u", library).splitlines()}
    for name in sorted(name for name in linked if FORBIDDEN.match(name)):
        if name in ALLOWED_IN_LIBRARY:
            print(f"allowed: {name}: {ALLOWED_IN_LIBRARY[name]}")
        else:
            wrong.append(f"the library calls {name}")
    if len(objects) < 50:
        wrong.append(f"only {len(objects)} objects were looked at")
    print(f"{len(objects)} objects")
    return wrong


def check_strings(library: str, directory: str) -> list[str]:
    with tempfile.TemporaryDirectory() as temporary:
        stripped = pathlib.Path(temporary, "library.so")
        output("strip", "-o", str(stripped), library)
        content = stripped.read_bytes()
    roots = {directory, "/home/", "/root/"}
    found = [root for root in sorted(roots) if root.encode() in content]
    print(f"{len(content)} bytes stripped")
    return [f"holds the path {root}" for root in found]


def highest_versions(library: str) -> dict[str, tuple[int, ...]]:
    """Of each runtime, the newest symbol version that `library` wants."""
    needs = output("readelf", "-VW", library).partition("Version needs section")[2]
    highest: dict[str, tuple[int, ...]] = {}
    for name, version in re.findall(r"Name: (GLIBC|GLIBCXX|CXXABI|GCC)_([0-9.]+)", needs):
        number = tuple(int(part) for part in version.split("."))
        highest[name] = max(number, highest.get(name, number))
    return highest


def check_versions(docs: str, libraries: list[str]) -> list[str]:
    text = pathlib.Path(docs).read_text(encoding="utf-8")
    promised = {name: tuple(int(part) for part in version.split("."))
                for name, version in re.findall(r"`(GLIBC|GLIBCXX|CXXABI|GCC)_([0-9.]+)`", text)}
    wrong, wanted = [], {}
    for library in libraries:
        versions = highest_versions(library)
        print(pathlib.Path(library).name, versions)
        if "GLIBC" not in versions:
            wrong.append(f"{library}: no version of glibc was read")
        for name, version in versions.items():
            if version > promised.get(name, ()):
                wrong.append(f"{library}: wants {name} {version}, promised is {promised.get(name)}")
            wanted[name] = max(version, wanted.get(name, version))
    return wrong + [f"{name} {promised[name]} is promised, but {wanted.get(name)} would do"
                    for name in promised if wanted.get(name, ()) < promised[name]]


def main() -> int:
    check, library, *rest = sys.argv[1:]
    if check == "exports":
        wrong = check_exports(library, rest[0])
    elif check == "loading":
        wrong = check_loading(library)
    elif check == "calls":
        wrong = check_calls(library, rest)
    elif check == "versions":
        wrong = check_versions(library, rest)
    else:
        wrong = check_strings(library, rest[0])
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
