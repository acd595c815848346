"""What the programs share that read whole files of the corpus, for the tests of the suites."""

import json
import os
import signal
import sys
import time


class Refused(Exception):
    pass


class FileReader:
    """A subclass has `name`, `datatypes`, `features` and `read`."""

    def hello(self):
        return {"protocol": 1, "name": self.name, "capabilities": {
            "operations": ["read"], "datatypes": self.datatypes, "features": self.features}}

    def answer(self, request):
        return {"id": request["id"], "ok": self.hello() if request["op"] == "hello" else self.read(request)}

    def serve(self):
        for line in sys.stdin:
            request = json.loads(line)
            try:
                reply = self.answer(request)
            except Refused as refusal:
                reply = {"id": request["id"], "error": {"kind": "refused", "message": str(refusal)}}
            print(json.dumps(reply), flush=True)


class Endings:
    """Ways to answer a request to read that end, or last."""

    def crashes(self, request, file):
        os.kill(os.getpid(), signal.SIGSEGV)

    def exits(self, request, file):
        os._exit(3)

    def hangs(self, request, file):
        time.sleep(60)

    def fills(self, request, file):
        self.kept = bytearray(800 << 20)
        self.kept[::4096] = b"x" * (800 << 8)
        time.sleep(60)
