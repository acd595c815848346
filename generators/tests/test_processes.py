"""Tests that each task runs in a separate process, and of the message when one raises or dies."""

import os
import signal
import time
import unittest

from generators import processes


def run(task):
    _, name, *what = task
    match what:
        case ["raise"]:
            raise ValueError("not so")
        case ["die"]:
            os.kill(os.getpid(), signal.SIGSEGV)
        case ["leave"]:
            os._exit(0)
        case ["wait"]:
            time.sleep(0.3)
        case ["first"]:
            if not processes.is_first():
                raise processes.Again
        case ["large"]:
            return b"x" * (1 << 20)
    return os.getpid()


def outcome(*whats, together=1):
    tasks = [("made", str(number), *what) for number, what in enumerate(whats)]
    return list(processes.results(run, tasks, together))


class Results(unittest.TestCase):
    def test_results_are_in_the_order_of_the_tasks(self):
        self.assertEqual(outcome(), [])
        first, second, third = outcome(["large"], ["wait"], ["large"])
        self.assertEqual((first, third), (b"x" * (1 << 20),) * 2)
        self.assertIsInstance(second, int)

    def test_names_may_repeat(self):
        tasks = [("made", "twice"), ("made", "twice", "large"), ("made", "last", "large")] * 20
        self.assertEqual(len(list(processes.results(run, tasks))), len(tasks))

    def test_tasks_per_process(self):
        self.assertEqual(len({*outcome(*[[]] * 5)} - {os.getpid()}), 5)
        shared = outcome(*[[]] * 5, together=2)
        self.assertEqual([shared.count(each) for each in shared], [2, 2, 2, 2, 1])

    def test_tasks_that_must_be_the_first_of_a_process(self):
        made = outcome(["first"], [], ["first"], ["first"], [], together=3)
        self.assertEqual([made.count(each) for each in made], [2, 2, 1, 2, 2])

    def test_exception_names_the_recipe(self):
        with self.assertRaisesRegex(processes.Failed, "recipe of made/1:(.|\n)*ValueError: not so"):
            outcome([], ["raise"], ["wait"])

    def test_crash_names_the_recipe(self):
        for what, words in (["die"], "signal 11"), (["leave"], "status 0"):
            for together in 1, 3:
                with self.subTest(what=what, together=together), self.assertRaisesRegex(
                        processes.Failed, f"recipe of made/1 died: {words}"):
                    outcome([], what, [], ["wait"], together=together)

    def test_no_process_is_left(self):
        with self.assertRaises(processes.Failed):
            outcome(["die"], ["wait"])
        with self.assertRaises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)


if __name__ == "__main__":
    unittest.main()
