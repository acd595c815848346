"""Whose fault a sanitizer's report is: ours, or the HDF5 library's, which has many and known ones."""

import re
import subprocess

# A line of ours, and the frame of a library of HDF5, in a stack.
OURS = re.compile(r"/(?:validator|reports|fuzz)/\S+\.(?:cpp|h):\d+")
LIBRARY = re.compile(r"#\d+ 0x\w+ +(?:in (\S+) )?\(\S*libhdf5")
# A frame without names, as a process prints it that may start no symboliser: module and offset.
BARE = re.compile(r"#\d+ 0x\w+ +\((\S+)\+(0x\w+)\)")
# Where one process's report begins.
BEGIN = re.compile(r"^.*(?:ERROR: \w+: |runtime error: |oracle: ).*$", re.MULTILINE)


def place(module, offset):
    """File and line of an address in a program; empty if nobody can tell."""
    for tool in ("llvm-symbolizer-19", "llvm-symbolizer"):
        try:
            return subprocess.run([tool, f"--obj={module}", offset], capture_output=True, text=True,
                                  check=False).stdout
        except FileNotFoundError:
            pass
    return ""


def library_function(report):
    """The function of the HDF5 library that a report's stack leads to; None if it leads to us."""
    for line in report.splitlines():
        if "oracle: " in line or OURS.search(line):
            return None
        if frame := LIBRARY.search(line):
            return frame[1] or "a function without a name"
        if (bare := BARE.search(line)) and OURS.search(place(*bare.groups())):
            return None
    return None


def reports(text):
    """The reports in what processes wrote to standard error, each to the begin of the next."""
    starts = [found.start() for found in BEGIN.finditer(text)]
    return [text[a:b] for a, b in zip(starts, starts[1:] + [len(text)])]
