#!/usr/bin/env python3
"""Holds what the pages say against the repository: verbs of make, links, paths of files, and the table of instruction
counts, which is written here.

  docs_pages.py ROOT           check README.md, CHANGELOG.md and docs/*.md
  docs_pages.py --write ROOT   put the accepted instruction counts into docs/design.md

In a page, `<!-- lines of: PATH -->` stands before a code block each of whose lines is a line of PATH, comments aside.
"""

import importlib.machinery
import importlib.util
import json
import pathlib
import re
import sys

CODE = re.compile(r"^```\w*\n(.*?)^```$|`([^`\n]+)`", re.DOTALL | re.MULTILINE)
VERB = re.compile(r"\bmake ([a-z][a-z0-9-]*)")
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)|(?:src|srcset|href)=\"([^\"#]+)\"")
OURS = re.compile(r"^(agent|cmake|collectors|console|docs|flood_guard|perf|tests|\.ci)(/[\w.-]+)+$")
LINES = re.compile(r"<!-- lines of: (\S+) -->\n```\w*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COUNTS = re.compile(r"(<!-- instructions -->\n)(.*?)(<!-- /instructions -->)", re.DOTALL)


def check_page(root: pathlib.Path, page: pathlib.Path, verbs: set[str]) -> list[str]:
    text = page.read_text(encoding="utf-8")
    wrong = []
    for block, span in CODE.findall(text):
        wrong += [f"there is no `make {verb}`" for verb in VERB.findall(block + span) if verb not in verbs]
        if OURS.match(span) and not (root / span).exists():
            wrong.append(f"there is no file {span}")
    for target in (markdown or html for markdown, html in LINK.findall(CODE.sub("", text))):
        if "://" not in target and not (page.parent / target).exists():
            wrong.append(f"leads nowhere: {target}")
    for path, code in LINES.findall(text):
        known = {line.strip() for line in (root / path).read_text(encoding="utf-8").splitlines()}
        shown = [line.strip() for line in code.splitlines()]
        wrong += [f"not in {path}: {line}" for line in shown if line not in known and not line.startswith("//") and line]
    return [f"{page.relative_to(root)}: {what}" for what in wrong]


def counts_table(root: pathlib.Path) -> str:
    sys.dont_write_bytecode = True
    path = str(root / "perf/micro/instructions")
    loader = importlib.machinery.SourceFileLoader("instructions", path)
    budgets = importlib.util.module_from_spec(importlib.util.spec_from_loader("instructions", loader))
    loader.exec_module(budgets)
    counts = json.loads((root / "perf/micro/instructions.json").read_text(encoding="utf-8"))
    rows = ["| scenario | instructions | budget | of budget |", "|---|---:|---:|---:|"]
    for name, count in counts.items():
        budget = budgets.HOST.get(name)
        rows.append(f"| `{name}` | {count:,.0f} | {f'{budget:,}' if budget else '–'} | {f'{count / budget:.0%}' if budget else '–'} |")
    return "\n".join(rows) + "\n"


def main() -> int:
    arguments = sys.argv[1:]
    write = arguments[:1] == ["--write"]
    root = pathlib.Path(arguments[-1])
    verbs = set(re.findall(r"^([a-z][a-z0-9-]*):", (root / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    pages = [root / "README.md", root / "CHANGELOG.md", *sorted((root / "docs").glob("*.md"))]
    design = root / "docs/design.md"
    text = design.read_text(encoding="utf-8")
    renewed = COUNTS.sub(lambda match: match[1] + counts_table(root) + match[3], text)
    wrong = []
    if write:
        design.write_text(renewed, encoding="utf-8")
    elif renewed != text:
        wrong.append("docs/design.md: the counts are not those of perf/micro/instructions.json; "
                     "run python3 tests/check/docs_pages.py --write .")
    for page in pages:
        wrong += check_page(root, page, verbs)
    for line in wrong:
        print(line)
    print(f"{len(pages)} pages, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
