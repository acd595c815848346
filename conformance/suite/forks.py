"""Starts the adapters of a module as forks of one process that has imported it, because importing h5py takes longer
than most of them run.

An adapter is started by a small client (forked.py), which passes on its input and output and ends as the fork does. The
fork has the environment, the working directory, the limits and the process group of the client, so the suite limits and
ends it like any other program.
"""

import gc
import importlib
import os
import resource
import selectors
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

HERE = Path(__file__).parent
# Without the modules of site-packages, which the client does not use.
CLIENT = [sys.executable, "-I", "-S", str(HERE / "forked.py")]


class Forks:
    """The server for a module, while it is used as a context manager. The module, in the directory `folder`, has a
    function run(name)."""

    def __init__(self, module, folder=HERE):
        self.module, self.folder = module, str(folder)

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.socket = os.path.join(self.temporary.name, "socket")
        # The forks of a writer are recorded if the environment of the client says so.
        preload = {"LD_PRELOAD": os.environ["RECORDER"]} if os.environ.get("RECORDER") else {}
        self.server = subprocess.Popen([sys.executable, __file__, self.folder, self.module, self.socket],
                                       env={**os.environ, **preload}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if self.server.stdout.readline() != b"ready\n":
            raise RuntimeError(f"no programs of {self.module}")
        return self

    def __exit__(self, *_):
        self.server.stdin.close()
        self.server.wait()
        self.server.stdout.close()
        self.temporary.cleanup()

    def command(self, name):
        return [*CLIENT, self.socket, name]


def become(client, descriptors):
    """Makes this process like that of the client."""
    os.setpgid(0, os.getpgid(client))
    for at, descriptor in enumerate(descriptors):
        os.dup2(descriptor, at)
        os.close(descriptor)
    os.chdir(f"/proc/{client}/cwd")
    for limit in resource.RLIMIT_FSIZE, resource.RLIMIT_CORE:
        resource.setrlimit(limit, resource.prlimit(client, limit))
    os.environb.clear()
    entries = Path(f"/proc/{client}/environ").read_bytes().split(b"\0")
    os.environb.update(entry.split(b"=", 1) for entry in entries if b"=" in entry)


class Server:
    def __init__(self, module, path):
        self.module = module
        self.running = {}  # by the descriptor of a process: its id and the connection to its client
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(64)
        self.events = selectors.DefaultSelector()
        self.owner = os.dup(0)
        for each in self.listener, self.owner:
            self.events.register(each, selectors.EVENT_READ)

    def serve(self):
        """Until the owner closes the standard input."""
        while True:
            for key, _ in self.events.select():
                if key.fileobj is self.listener:
                    self.start()
                elif key.fileobj == self.owner:
                    for process, _ in self.running.values():
                        os.kill(process, signal.SIGKILL)
                    return
                else:
                    self.report(key.fileobj)

    def start(self):
        connection, _ = self.listener.accept()
        name, descriptors, _, _ = socket.recv_fds(connection, 4096, 3)
        client, _, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        process = os.fork()
        if process == 0:
            self.run(client, descriptors, name.decode(), connection)
        for descriptor in descriptors:
            os.close(descriptor)
        running = os.pidfd_open(process)
        self.running[running] = process, connection
        self.events.register(running, selectors.EVENT_READ)

    def run(self, client, descriptors, name, connection):
        status = 1
        try:
            for each in connection, self.listener, self.events, *(other for _, other in self.running.values()):
                each.close()
            become(client, descriptors)
            self.module.run(name)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)

    def report(self, running):
        process, connection = self.running.pop(running)
        self.events.unregister(running)
        os.close(running)
        _, status = os.waitpid(process, 0)
        try:
            connection.sendall(struct.pack("i", status))
        except OSError:
            pass  # the client was killed
        connection.close()


def main(folder, module, path):
    sys.path[:0] = [folder]
    server = Server(importlib.import_module(module), path)
    gc.freeze()  # so that no collection in a fork copies the pages that it shares with this process
    print("ready", flush=True)
    server.serve()


if __name__ == "__main__":
    main(*sys.argv[1:])
