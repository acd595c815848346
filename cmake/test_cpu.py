"""Runs the tests of a build and prints the CPU time (user and system, with all child processes) of each, most first:
test_cpu.py BUILD [REGEX] [-o FILE]. One test runs at a time, because the times of a machine that does other work are closer to
those of one that does not."""

import argparse
import json
import os
import re
import subprocess
import sys
import time


def cpu_of(test, log):
    """The seconds of CPU and the status. A process whose parent has not waited for it is not counted."""
    properties = {each["name"]: each["value"] for each in test.get("properties", [])}
    environment = dict(each.split("=", 1) for each in properties.get("ENVIRONMENT", []))
    begin = time.monotonic()
    process = subprocess.Popen(test["command"], cwd=properties.get("WORKING_DIRECTORY"), env={**os.environ, **environment},
                               stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begin, process.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("regex", nargs="?", default="")
    parser.add_argument("-o", "--output", default=os.devnull, help="of the tests")
    options = parser.parse_args()
    listed = subprocess.run(["ctest", "--test-dir", options.build, "--show-only=json-v1"], check=True, capture_output=True)
    tests = [each for each in json.loads(listed.stdout)["tests"] if re.search(options.regex, each["name"])]
    times = []
    with open(options.output, "wb") as log:
        for test in tests:
            times.append((*cpu_of(test, log), test["name"]))
            print("{:7.1f} s of CPU, {:6.1f} s, status {}: {}".format(*times[-1]), file=sys.stderr, flush=True)
    for cpu, wall, status, name in sorted(times, reverse=True):
        print(f"{cpu:7.1f} {wall:7.1f} {status:4} {name}")
    print(f"{sum(each[0] for each in times):7.1f} {sum(each[1] for each in times):7.1f}      all")
    return any(each[2] not in (0, 77) for each in times)


if __name__ == "__main__":
    sys.exit(main())
