"""Compares the output of hepcheck for files of the corpus with golden files, command by command.

    python3 conformance/commands_test.py [NAME ...]    (HEPCHECK is the program; NAME selects golden/commands/NAME.txt)

golden/commands/*.txt contain groups of commands, each with its output and its exit status. A group starts with
`## words` and its input files, `= name FIXTURE` or `= name: text`. `$ command` runs one;
`| ` is a line of standard output, `! ` one of standard error, `> N` a nonzero exit status. Of
long output, a digest is stored. The place where a time limit stops the work depends on the machine and is
left out. `$ sum FILE` stands for the SHA-256 of a file; `$ sh: words` is run by the shell, in which
`hepcheck` is the program, and HEPCHECK its name; `$ terminal: words` also connects standard output to a terminal. If the
output differs, the test writes it to conformance/golden/commands/NAME.txt below the directory that
HEPCHECK_DIFFERING_GOLDEN_FILES names, where `./dev golden` finds it.
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
GOLDEN = "conformance/golden/commands"
DIFFERING = pathlib.Path(os.environ.get("HEPCHECK_DIFFERING_GOLDEN_FILES", "golden"))
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
    """The group with its actual results."""
    printed_lines = []
    with tempfile.TemporaryDirectory() as folder:
        for line in group:
            printed_lines.append(line)
            mark, _, rest = line.partition(" ")
            if mark == "=":
                name, _, source = rest.partition(" ")
                data = (source + "\n").encode() if name.endswith(":") else (ROOT / "fixtures" / source).read_bytes()
                path = pathlib.Path(folder, name.rstrip(":"))
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(data)
            elif mark == "$":
                printed_lines += results(rest, folder)
    return printed_lines


def results(command: str, folder: str) -> list[str]:
    if command.startswith("sum "):
        path = pathlib.Path(folder, command.removeprefix("sum "))
        digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "no such file"
        return ["| " + digest]
    by, _, line = command.partition(": ")
    if by in ("sh", "terminal"):
        words = ["sh", "-c", f'hepcheck() {{ {shlex.quote(PROGRAM)} "$@"; }}; {line}']
    else:
        words = [PROGRAM, *shlex.split(command)[1:]]
    environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "HEPCHECK": PROGRAM}
    environment |= {name: value for name, value in os.environ.items() if name.startswith("HEPCHECK_MUTANT")}
    run_it = on_terminal if by == "terminal" else in_pipe
    printed, complaints, status = run_it(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL)
    return lines("| ", printed, folder) + lines("! ", complaints, folder) + ([f"> {status}"] if status else [])


def in_pipe(words: list[str], **options) -> tuple[bytes, bytes, int]:
    done = subprocess.run(words, capture_output=True, timeout=300, check=False, **options)
    return done.stdout, done.stderr, done.returncode


def on_terminal(words: list[str], **options) -> tuple[bytes, bytes, int]:
    """The output to a terminal, with \\e for the escape bytes of colours."""
    leader, follower = os.openpty()
    with subprocess.Popen(words, stdout=follower, stderr=subprocess.PIPE, **options) as process:
        os.close(follower)
        printed = b""
        try:
            while part := os.read(leader, 65536):
                printed += part
        except OSError:  # all of the other ends are closed
            pass
        os.close(leader)
        complaints = process.stderr.read()
    return printed.replace(b"\r\n", b"\n").replace(b"\x1b", b"\\e"), complaints, process.returncode


class Commands(unittest.TestCase):
    maxDiff = None
    names = ()

    def test_output_equals_golden_files(self):
        golden = {path.stem: path.read_text() for path in sorted((ROOT / GOLDEN).glob("*.txt"))
                if not self.names or path.stem in self.names}
        self.assertGreaterEqual(len(golden), len(self.names) or 5)
        differ = []
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            ran = {name: [pool.submit(run, group) for group in groups(text)] for name, text in golden.items()}
            for name, text in golden.items():
                differ += self.difference(name, text, "\n\n".join("\n".join(group.result()) for group in ran[name]) + "\n")
        if differ:
            self.fail("\n".join(["`./dev golden` shows all differences", *differ]))

    def difference(self, name: str, golden: str, printed: str) -> list[str]:
        """Up to 200 lines of the difference; what was printed goes to the build directory if there is one."""
        file = DIFFERING / GOLDEN / (name + ".txt")
        if printed == golden:
            file.unlink(missing_ok=True)
            return []
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(printed)
        return list(difflib.unified_diff(golden.splitlines(), printed.splitlines(), f"{name}: golden", f"{name}: printed",
                                         lineterm="", n=2))[:200]


if __name__ == "__main__":
    Commands.names = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
