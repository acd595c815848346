"""Shared by the lists of broken programs: registers a program with the mistake that it makes, and
runs one."""

import json
import re
import sys
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "adapters" / "python"))

from adapter import Adapter, serve  # noqa: E402
from forks import Forks  # noqa: E402

Broken = namedtuple("Broken", "program clauses shown_by members says")
BROKEN = {}  # by module, then by name


def broken(*clauses, shown_by=None, members="", says=""):
    """Registers an adapter, or a reader or writer for one, with the clauses that it violates; the parts of
    the suite that show it, if not the default; the members of the protocol that it gets wrong
    (conformance/suite/hep001/protocol.h), and a pattern that each of its findings must match."""
    def register(cls):
        programs = BROKEN.setdefault(cls.__module__, {})
        assert cls.__name__ not in programs, cls
        programs[cls.__name__] = Broken(cls, set(clauses), shown_by, members.split(), says)
        return cls
    return register


def texts(report):
    """(clause, complete text) of every finding."""
    return [(clause["id"], " ".join(finding[part] for part in ("object", "where", "observed", "expected")))
            for clause in report["clauses"] for finding in clause.get("findings", [])]


def check(test, module, run, option):
    """Asserts that each program of a list fails exactly its clauses, and that all findings mention its
    mistake. A program without clauses must fail at hello."""
    programs = BROKEN[module]

    def judge(name):
        shown_by = [word for pattern in programs[name].shown_by or [] for word in (option, pattern)]
        return run("--format", "json", *shown_by, command=forks.command(name))

    with Forks(module) as forks, ThreadPoolExecutor(3) as pool:
        for name, done in zip(programs, pool.map(judge, programs)):
            with test.subTest(name):
                each = programs[name]
                if not each.clauses:
                    test.assertEqual(done.returncode, 3, done.stderr)
                    test.assertRegex(done.stderr, each.says)
                    continue
                found = texts(json.loads(done.stdout))
                test.assertEqual({clause for clause, _ in found}, each.clauses, found[:3])
                for _, text in found:
                    test.assertTrue(re.search(each.says, text), text)


def runner(module, role):
    """A function that runs a program of a module by its name; `role` is the class of the adapter that most of them
    replace. If the module is started as a program, it runs the one that the command line names."""
    def run(name):
        wrong = BROKEN[module][name].program
        if hasattr(wrong, "serve"):
            wrong().serve()
        elif issubclass(wrong, Adapter):
            serve(wrong())
        else:
            adapter = Adapter()
            setattr(adapter, role, wrong)
            serve(adapter)
    if module == "__main__":
        run(sys.argv[1])
    return run
