"""Runs tasks in separate processes: state in a library cannot make one recipe depend on another, and a crash
affects only its recipe."""

import collections
import gc
import itertools
import multiprocessing
import multiprocessing.connection
import traceback

AT_ONCE = 2


class Failed(Exception):
    """A task raised an exception, or its process died."""


class Again(Exception):
    """A task raises this if it has to be the first of its process and is not: it gets a process of its own."""


def is_first():
    """Whether the task that runs is the first of its process."""
    return _is_first


_is_first = True


def results(function, tasks, together=1):
    """Yields `function(task)` for each task in order; the first two items of a task are the names of a format
    and of a recipe. `together` tasks share a process, one after the other."""
    context = multiprocessing.get_context("fork")
    gc.freeze()  # so that no collection in a child copies the pages that it shares with this process
    waiting = collections.deque(itertools.batched(enumerate(tasks), together))
    running, done, given = {}, {}, 0  # what is done by its place in `tasks`: names may come twice
    try:
        while waiting or running:
            while waiting and len(running) < AT_ONCE:
                batch = waiting.popleft()
                ours, theirs = context.Pipe(duplex=False)
                process = context.Process(
                    target=_work, args=(function, [task for _, task in batch], theirs))
                process.start()
                theirs.close()
                running[ours] = process, collections.deque(batch)
            for pipe in multiprocessing.connection.wait(list(running)):
                process, awaited = running[pipe]
                at, task = awaited[0]
                again, result = _received(pipe, process, task[:2])
                if again:
                    waiting.append([(at, task)])
                else:
                    done[at] = result
                awaited.popleft()
                if not awaited:
                    pipe.close()
                    process.join()
                    del running[pipe]
            while given in done:
                yield done.pop(given)
                given += 1
    finally:
        for pipe, (process, _) in running.items():
            process.kill()
            process.join()
            pipe.close()


def _work(function, batch, pipe):
    global _is_first
    for task in batch:
        try:
            answer = "done", function(task)
        except Again:
            answer = "again", None
        except Exception:
            answer = "failed", traceback.format_exc()
        pipe.send(answer)
        _is_first = False


def _received(pipe, process, names):
    """Whether the task with these `names` has to be repeated, and otherwise its result, the next of this process."""
    recipe = "/".join(names)
    try:
        outcome, result = pipe.recv()
    except (EOFError, OSError) as gone:
        process.join()
        raise Failed(f"the process that ran the recipe of {recipe} died: "
                     f"{_end(process.exitcode)}") from gone
    if outcome == "failed":
        raise Failed(f"in the recipe of {recipe}:\n{result}")
    return outcome == "again", result


def _end(status):
    return f"signal {-status}" if status < 0 else f"status {status}"
