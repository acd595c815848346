"""Does what the tutorials say, in their order, each in an empty directory.

A block of code with a file name is that file. A block of commands states the exit status of its last command, and a
text that the output of that command contains. HEPCHECK is the program."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
CHECKOUT = HERE.parents[1]
BLOCK = re.compile(r"^```(\S+) ?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Tutorials(unittest.TestCase):
    def environment(self):
        program = pathlib.Path(os.environ["HEPCHECK"]).resolve()
        return dict(os.environ, HEPCHECK=str(program), PATH=f"{program.parent}:{os.environ['PATH']}", CHECKOUT=str(CHECKOUT),
                    PYTHONPATH=str(CHECKOUT / "bindings/python/src"), PYTHONDONTWRITEBYTECODE="1")

    def run_commands(self, folder, terms, commands):
        *before, last = commands.strip().splitlines()
        for each in before:
            subprocess.run(each, shell=True, cwd=folder, env=self.environment(), check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run(last, shell=True, cwd=folder, env=self.environment(), capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, check=False)
        wanted = re.fullmatch(r"status=(\d+) shows=(.*)", terms)
        self.assertIsNotNone(wanted, terms)
        self.assertEqual(done.returncode, int(wanted[1]), f"{last}\n{done.stdout}{done.stderr}")
        self.assertIn(wanted[2], done.stdout, f"{last}\n{done.stderr}")

    def follow(self, name):
        words = (HERE / name).read_text()
        blocks = BLOCK.findall(words)
        self.assertGreater(sum(language == "sh" for language, _, _ in blocks), 1)
        with tempfile.TemporaryDirectory() as folder:
            for language, terms, content in blocks:
                with self.subTest(block=content[:60]):
                    if language == "sh":
                        self.run_commands(folder, terms, content)
                    else:
                        (pathlib.Path(folder) / terms).write_text(content)

    def test_first_table(self):
        self.follow("first-table.md")

    def test_gate_a_producer(self):
        self.follow("gate-a-producer.md")

    def test_judge_a_reader(self):
        self.follow("judge-a-reader.md")

    def test_every_tutorial_is_followed(self):
        self.assertEqual({path.name for path in HERE.glob("*.md")},
                         {"first-table.md", "gate-a-producer.md", "judge-a-reader.md"})


if __name__ == "__main__":
    sys.exit(unittest.main())
