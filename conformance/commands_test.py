"""What hepcheck prints of files of the corpus, command by command, is as it was.

    python3 conformance/commands_test.py    (HEPCHECK names the program)

kept/commands.txt holds groups of commands, each with what it printed and its exit status. A group begins
with `## words` and the files it begins with, `= name FIXTURE` or `= name: text`; `$ command` runs one,
`| ` is a line of standard output, `! ` one of standard error, `> N` an exit status that is not 0. Of
output that is long, a digest is kept. Where a limit of time ended the work hangs on the machine, and is
left out. `$ sum FILE` stands for the SHA-256 of a file. The test writes what is printed now to
commands.txt in its working folder where that differs.
"""

import concurrent.futures
import difflib
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
KEPT = ROOT / "conformance" / "kept" / "commands.txt"
PROGRAM = os.environ.get("HEPCHECK", "hepcheck")
LONG = 40  # lines
WHERE_TIME_ENDED = re.compile(r"(?<=the limit of time was reached while ).*")
RESULTS = ("| ", "! ", "> ")


def groups(text: str) -> list[list[str]]:
    """The lines of each group, without results."""
    made = []
    for line in text.splitlines():
        if line.startswith("## "):
            made.append([])
        if made and not line.startswith(RESULTS) and line:
            made[-1].append(line)
    return made


def lines(mark: str, printed: bytes, folder: str) -> list[str]:
    text = WHERE_TIME_ENDED.sub("...", printed.decode("utf-8", "backslashreplace").replace(folder, "HERE"))
    every = text.splitlines()
    if len(every) > LONG:
        return [f"{mark}({len(every)} lines, SHA-256 {hashlib.sha256(text.encode()).hexdigest()})"]
    return [mark + line for line in every]


def run(group: list[str]) -> list[str]:
    """The group with its results."""
    said = []
    with tempfile.TemporaryDirectory() as folder:
        for line in group:
            said.append(line)
            mark, _, rest = line.partition(" ")
            if mark == "=":
                name, _, source = rest.partition(" ")
                data = (source + "\n").encode() if name.endswith(":") else (ROOT / "fixtures" / source).read_bytes()
                path = pathlib.Path(folder, name.rstrip(":"))
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(data)
            elif mark == "$":
                said += results(shlex.split(rest), folder)
    return said


def results(words: list[str], folder: str) -> list[str]:
    if words[0] == "sum":
        path = pathlib.Path(folder, words[1])
        digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "no such file"
        return ["| " + digest]
    environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"}
    environment |= {name: value for name, value in os.environ.items() if name.startswith("HEPCHECK_MUTANT")}
    done = subprocess.run([PROGRAM, *words[1:]], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=300, check=False)
    return lines("| ", done.stdout, folder) + lines("! ", done.stderr, folder) \
        + ([f"> {done.returncode}"] if done.returncode else [])


class Commands(unittest.TestCase):
    maxDiff = None

    def test_print_what_they_printed(self):
        kept = KEPT.read_text()
        self.assertGreater(len(groups(kept)), 5)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            is_now = "\n\n".join("\n".join(said) for said in pool.map(run, groups(kept))) + "\n"
        if is_now == kept:
            return
        made = pathlib.Path("commands.txt").absolute()
        made.write_text(is_now)
        differs = "\n".join(list(difflib.unified_diff(kept.splitlines(), is_now.splitlines(), "was", "is",
                                                      lineterm="", n=2))[:200])
        self.fail(f"if all that differs is meant: cp {made} {KEPT}\n{differs}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
