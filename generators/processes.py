"""Work in processes of its own: no library may let one recipe depend on another, and one that dies
takes nothing with it but its recipe."""

import collections
import itertools
import multiprocessing
import multiprocessing.connection
import traceback

AT_ONCE = 2


class Failed(Exception):
    """A task raised, or its process died."""


def results(function, tasks, together=1):
    """Yields `function(task)` of each task in turn, whose first two items are the names of a format
    and of a recipe. So many tasks share a process, one after the other."""
    context = multiprocessing.get_context("fork")
    waiting = collections.deque(itertools.batched(tasks, together))
    running, done, order = {}, {}, [task[:2] for task in tasks]
    given = 0
    try:
        while waiting or running:
            while waiting and len(running) < AT_ONCE:
                batch = waiting.popleft()
                ours, theirs = context.Pipe(duplex=False)
                process = context.Process(target=_work, args=(function, batch, theirs))
                process.start()
                theirs.close()
                running[ours] = process, collections.deque(task[:2] for task in batch)
            for pipe in multiprocessing.connection.wait(list(running)):
                process, names = running[pipe]
                done.update(_received(pipe, process, names))
                if not names:
                    pipe.close()
                    process.join()
                    del running[pipe]
            while given < len(order) and order[given] in done:
                yield done.pop(order[given])
                given += 1
    finally:
        for pipe, (process, _) in running.items():
            process.kill()
            process.join()
            pipe.close()


def _work(function, batch, pipe):
    for task in batch:
        try:
            answer = True, function(task)
        except Exception:
            answer = False, traceback.format_exc()
        pipe.send(answer)


def _received(pipe, process, names):
    """The next result of this process, by the names of its task, which leave `names`."""
    recipe = "/".join(names[0])
    try:
        fine, result = pipe.recv()
    except (EOFError, OSError) as gone:
        process.join()
        raise Failed(f"the process that ran the recipe of {recipe} died: "
                     f"{_end(process.exitcode)}") from gone
    if not fine:
        raise Failed(f"in the recipe of {recipe}:\n{result}")
    return {names.popleft(): result}


def _end(status):
    return f"signal {-status}" if status < 0 else f"status {status}"
