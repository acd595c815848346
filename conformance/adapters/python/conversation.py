"""The conversation with the harness: one request per line, one reply per line."""

import json
import os
import sys
import traceback


class Refused(Exception):
    """The reader does not process this table."""


class Unsupported(Exception):
    """This program does not support the request."""


def as_line(request, reply):
    return json.dumps(reply) + "\n"


def serve(adapter, line=as_line, errors="strict"):
    """Answers requests until the end of the input. `line` encodes a reply, `errors` is as for open()."""
    # The HDF5 library may print to standard output, so replies use a separate file descriptor.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8", errors=errors)
    os.dup2(2, 1)
    for text in sys.stdin.buffer:
        request = json.loads(text)
        reply = {"id": request["id"]}
        try:
            reply["ok"], diagnostics = adapter.answer(request)
            if diagnostics:
                reply["diagnostics"] = diagnostics
        except Refused as refusal:
            reply["error"] = {"kind": "refused", "message": str(refusal)}
        except (Unsupported, NotImplementedError) as limit:
            reply["error"] = {"kind": "unsupported", "message": str(limit)}
        except Exception as error:
            traceback.print_exc()
            reply["error"] = {"kind": "failed", "message": f"{type(error).__name__}: {error}"}
        replies.write(line(request, reply))
        replies.flush()
