"""Attributes sanitizer reports to hepcheck or to the HDF5 library, which has known defects."""

import re
import subprocess

# A line of hepcheck, and the frame of an HDF5 library, in a stack.
OURS = re.compile(r"/(?:validator|reports|fuzz)/\S+\.(?:cpp|h):\d+")
LIBRARY = re.compile(r"#\d+ 0x\w+ +(?:in (\S+) )?\(\S*libhdf5")
# A frame without names, printed by a process that may not start a symboliser: module and offset.
BARE = re.compile(r"#\d+ 0x\w+ +\((\S+)\+(0x\w+)\)")
# The beginning of the report of a process.
BEGIN = re.compile(r"^.*(?:ERROR: \w+: |runtime error: |oracle: ).*$", re.MULTILINE)


def place(module, offset):
    """File and line of an address in a program; empty if unknown."""
    for tool in ("llvm-symbolizer-19", "llvm-symbolizer"):
        try:
            return subprocess.run([tool, f"--obj={module}", offset], capture_output=True, text=True,
                                  check=False).stdout
        except FileNotFoundError:
            pass
    return ""


def library_function(report):
    """The function of the HDF5 library in the stack of a report; None if hepcheck is responsible."""
    for line in report.splitlines():
        if "oracle: " in line or OURS.search(line):
            return None
        if frame := LIBRARY.search(line):
            return frame[1] or "a function without a name"
        if (bare := BARE.search(line)) and OURS.search(place(*bare.groups())):
            return None
    return None


def reports(text):
    """Splits the standard error of processes into reports."""
    starts = [found.start() for found in BEGIN.finditer(text)]
    return [text[a:b] for a, b in zip(starts, starts[1:] + [len(text)])]
