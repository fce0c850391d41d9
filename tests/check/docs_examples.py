#!/usr/bin/env python3
"""Holds the code in docs/*.md equal to the files it shows, and runs the programs that were built from them.

In a page, `<!-- file: PATH -->` stands before the code block that shows PATH, a path from the repository's root.

  docs_examples.py ROOT [PROGRAM…]   check the pages; start each program on a free port, ask it for a page, stop it
  docs_examples.py --write ROOT      put the files' present text into the pages
"""

import pathlib
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request

BLOCK = re.compile(r"(<!-- file: (?P<path>\S+) -->\n```\w*\n)(?P<code>.*?)(^```$)", re.DOTALL | re.MULTILINE)


def check_page(root: pathlib.Path, page: pathlib.Path, write: bool) -> list[str]:
    text = page.read_text(encoding="utf-8")
    wrong = []

    def shown(match: re.Match) -> str:
        source = (root / match["path"]).read_text(encoding="utf-8")
        if match["code"] != source:
            wrong.append(f"{page.relative_to(root)}: the block is not {match['path']}; run docs_examples.py --write")
        return match[1] + source + match[4]

    renewed = BLOCK.sub(shown, text)
    if write and renewed != text:
        page.write_text(renewed, encoding="utf-8")
        return []
    if text.count("<!-- file: ") != len(BLOCK.findall(text)):
        wrong.append(f"{page.relative_to(root)}: a file comment has no code block after it")
    return wrong


def status_and_id(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.headers.get("X-Inlens-Id", "")
    except urllib.error.HTTPError as error:
        return error.code, error.headers.get("X-Inlens-Id", "")


def run_program(program: str) -> list[str]:
    name = pathlib.Path(program).name
    wrong = []
    process = subprocess.Popen([program, "0"], stdout=subprocess.PIPE, text=True)
    try:
        page = process.stdout.readline().split()[-1]
        console = process.stdout.readline().split()[-1]
        first, second = status_and_id(page), status_and_id(page)
        if first[0] != 200:
            wrong.append(f"{name}: the page answered {first[0]}")
        if not re.fullmatch("[0-9a-f]{32}", first[1]) or first[1] == second[1]:
            wrong.append(f"{name}: ids of two requests: {first[1]!r} and {second[1]!r}")
        if status_and_id(page + "unknown")[0] < 400:
            wrong.append(f"{name}: an unknown path was answered like a page")
        if not console.startswith("http://127.0.0.1:"):
            wrong.append(f"{name}: no console link, but {console!r}")
    finally:
        process.send_signal(signal.SIGTERM)
        if process.wait(timeout=10) != 0:
            wrong.append(f"{name}: ended with {process.returncode}")
    return wrong


def main() -> int:
    arguments = sys.argv[1:]
    write = arguments[:1] == ["--write"]
    root, *programs = arguments[1:] if write else arguments
    wrong = []
    pages = sorted(pathlib.Path(root, "docs").glob("*.md"))
    for page in pages:
        wrong += check_page(pathlib.Path(root), page, write)
    for program in programs:
        wrong += run_program(program)
    for line in wrong:
        print(line)
    print(f"{len(pages)} pages, {len(programs)} programs, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
