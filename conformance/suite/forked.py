"""forked.py SOCKET NAME: the program NAME of a server of forks (forks.py), with the input and the output of this process. It
imports as little as it can, because it is started for each program."""

import os
import sys

import _socket

server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
server.connect(sys.argv[1])
server.sendmsg([sys.argv[2].encode()], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS,
                                         b"".join(each.to_bytes(4, sys.byteorder) for each in range(3)))])
# From now on, only the program holds them.
for each in range(3):
    os.close(each)
status = int.from_bytes(server.recv(4), sys.byteorder)
if os.WIFSIGNALED(status):
    os.kill(os.getpid(), os.WTERMSIG(status))
os._exit(os.waitstatus_to_exitcode(status))
