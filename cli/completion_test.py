"""Tests of completion: what the program offers, and how bash, zsh and fish use it."""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import tempfile
import time
import unittest

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
PATIENCE = 60


def offered(*words):
    result = subprocess.run([HEPCHECK, "completion", "words", "--", *words], capture_output=True,
                            timeout=PATIENCE, text=True)
    assert result.returncode == 0 and not result.stderr, result
    return [line.split("\t")[0] for line in result.stdout.splitlines()]


def script(shell):
    return subprocess.run([HEPCHECK, "completion", shell], capture_output=True, check=True,
                          text=True).stdout


class Words(unittest.TestCase):
    def test_subcommands(self):
        top = offered("")
        self.assertLessEqual({"validate", "baseline", "report", "clauses", "index"}, set(top))
        self.assertNotIn(":files", top)
        self.assertEqual(offered("val"), ["validate"])
        self.assertEqual(offered("baseline", ""), ["create", "update"])
        self.assertEqual(offered("completion", ""), ["bash", "zsh", "fish"])
        self.assertEqual(offered("nonsense-that-is-none"), [])

    def test_every_option_of_the_help(self):
        for command in (["validate"], ["index", "build"], ["report", "merge"], []):
            text = subprocess.run([HEPCHECK, *command, "--help"], capture_output=True, text=True)
            options = re.findall(r"^ +(?:-\w, *)?(--[a-z-]+)", text.stdout, re.M)
            self.assertGreater(len(options), 0)
            self.assertLessEqual(set(options), set(offered(*command, "-")), command)

    def test_values(self):
        self.assertEqual(offered("validate", "--fail-on", ""), ["must", "should", "never"])
        self.assertEqual(offered("validate", "--fail-on=n"), ["--fail-on=never"])
        self.assertEqual(offered("validate", "--format", "js"), ["json", "json-findings"])
        self.assertEqual(offered("validate", "--format", "json="), [":files"])
        self.assertEqual(offered("validate", "--only", "nrows-u"), ["nrows-uint64"])
        self.assertEqual(offered("validate", "--only", "nrows-scalar,nrows-u"),
                         ["nrows-scalar,nrows-uint64"])
        self.assertEqual(offered("validate", "--skip", "nrows-uint64,Message"),
                         ["nrows-uint64,Message.fbs"])
        self.assertEqual(offered("explain", "14."), ["14.1", "14.2", "14.3"])
        self.assertEqual(offered("clauses", "show", "nrows-u"), ["nrows-uint64"])
        self.assertEqual(offered("clauses", "show", "14."), [])
        self.assertEqual(offered("index", "build", "x.h5", "ts", "B"), ["BITMAP"])
        self.assertEqual(offered("index", "build", "x.h5", ""), [])

    def test_files(self):
        self.assertEqual(offered("validate", ""), [":files"])
        self.assertEqual(offered("validate", "a.h5", "--strict", ""), [":files"])
        self.assertEqual(offered("validate", "--baseline", ""), [":files"])
        self.assertEqual(offered("validate", "--", "--format", ""), [":files"])
        self.assertEqual(offered("index", "build", "a.h5", "x", "BITMAP", ""), [])


class Shell(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "data").mkdir()
        (self.folder / "dat file.h5").touch()
        (self.folder / "bin").mkdir()
        (self.folder / "bin/hepcheck").symlink_to(HEPCHECK)
        self.env = {"PATH": f"{self.folder}/bin:/usr/bin:/bin", "HOME": str(self.folder),
                    "TERM": "dumb", "LC_ALL": "C.UTF-8"}

    def run_shell(self, *command, stdin=""):
        return subprocess.run(command, input=stdin, capture_output=True, text=True, env=self.env,
                              timeout=PATIENCE, cwd=self.folder)


class Bash(Shell):
    def complete(self, line):
        """The contents of COMPREPLY after `line` and a tab."""
        driver = script("bash") + (
            "compopt() { :; }\n"  # it works only during a completion that readline started
            "COMP_LINE=$1 COMP_POINT=${#1}; _hepcheck hepcheck\n"
            'printf "%s\\n" "${COMPREPLY[@]}"\n')
        result = self.run_shell("bash", "-c", driver, "bash", line)
        self.assertEqual((result.returncode, result.stderr), (0, ""), line)
        return result.stdout.split("\n")[:-1]

    def test_words(self):
        self.assertEqual(self.complete("hepcheck base"), ["baseline"])
        self.assertEqual(self.complete("hepcheck baseline "), ["create", "update"])
        self.assertEqual(self.complete("hepcheck validate --fail-o"), ["--fail-on"])
        self.assertEqual(self.complete("hepcheck validate --fail-on=s"), ["should"])
        self.assertEqual(self.complete("hepcheck validate --only nrows-u"), ["nrows-uint64"])

    def test_files(self):
        self.assertCountEqual(self.complete("hepcheck validate da"), ["data", "dat file.h5"])
        self.assertEqual(self.complete("hepcheck validate --format json=./da"),
                         ["./dat file.h5", "./data"])

    def test_at_the_prompt(self):
        """Uses a real readline and real key presses."""
        (self.folder / "rc").write_text("PS1='READY> '\nbind 'set enable-bracketed-paste off'\n"
                                        + script("bash"))
        shown = at_prompt(["bash", "--noprofile", "--rcfile", str(self.folder / "rc"), "-i"],
                          "hepcheck valid\t--fail-on=n\t --help\n", "Exit status: 0",
                          self.env, self.folder)
        self.assertRegex(shown, r"hepcheck validate --fail-on=never")


class Zsh(Shell):
    def test_at_the_prompt(self):
        (self.folder / "functions").mkdir()
        (self.folder / "functions/_hepcheck").write_text(script("zsh"))
        (self.folder / ".zshrc").write_text(
            "fpath=($HOME/functions $fpath)\nautoload -Uz compinit && compinit -u\n"
            "PS1='READY> '\nunset zle_bracketed_paste\n")
        shown = at_prompt(["zsh", "-i"], "hepcheck valid\t--fail-on=n\t --only nrows-u\t --help\n",
                          "Exit status: 0", dict(self.env, TERM="xterm"), self.folder)
        self.assertRegex(shown, r"hepcheck validate +--fail-on=never\b.*--only nrows-uint64")

    def test_shell_is_zsh(self):
        self.assertEqual(self.run_shell("zsh", "-n", stdin=script("zsh")).stderr, "")


class Fish(Shell):
    def complete(self, line):
        (self.folder / "h.fish").write_text(script("fish"))
        result = self.run_shell("fish", "--no-config", "-c", f"source h.fish; complete -C '{line}'")
        self.assertEqual((result.returncode, result.stderr), (0, ""), line)
        return [each.split("\t")[0] for each in result.stdout.splitlines()]

    def test_words(self):
        self.assertEqual(self.complete("hepcheck base"), ["baseline"])
        self.assertEqual(self.complete("hepcheck baseline "), ["create", "update"])
        self.assertEqual(self.complete("hepcheck validate --fail-on=s"), ["--fail-on=should"])
        self.assertEqual(self.complete("hepcheck validate --only nrows-u"), ["nrows-uint64"])

    def test_files(self):
        self.assertCountEqual(self.complete("hepcheck validate da"), ["data/", "dat file.h5"])


def at_prompt(command, keys, awaited, env, folder):
    """The output of a terminal when these keys are typed, until `awaited` appears or PATIENCE expires."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe(command[0], command, env)
    shown, deadline = "", time.monotonic() + PATIENCE
    pending = list(keys)
    # Keys that are typed before the prompt appears would not be handled by the line editor.
    while "READY> " not in shown and time.monotonic() < deadline:
        if select.select([terminal], [], [], 1.0)[0]:
            shown += os.read(terminal, 4096).decode(errors="replace")
    try:
        while awaited not in shown and time.monotonic() < deadline:
            # The output after a tab appears only when the shell has computed the completion.
            ready, _, _ = select.select([terminal], [], [], 1.0)
            if ready:
                shown += os.read(terminal, 4096).decode(errors="replace")
            elif pending:
                end = pending.index("\t") + 1 if "\t" in pending else len(pending)
                os.write(terminal, "".join(pending[:end]).encode())
                del pending[:end]
    except OSError:  # the shell has ended
        pass
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
        os.close(terminal)
    # Remove sequences that only move the cursor or set colours.
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|[\r\b]", "", shown)


for shell, case in (("zsh", Zsh), ("fish", Fish)):
    if not shutil.which(shell):
        case.__unittest_skip__ = True
        case.__unittest_skip_why__ = f"{shell} is not installed"

if __name__ == "__main__":
    unittest.main()
