"""Which files of the corpus a run takes that need not take all of them."""

# One file, of more values than are read at once, is read or queried 90 times and takes half of the
# CPU time of a whole run. suite_reader reads it.
ALL_BUT_THE_LARGEST = [word for pattern in (
    "[!v]*", "valid/[!8]*", "valid/8.[!4]*", "valid/8.4/[!i]*", "valid/8.4/independent-storage--[!m]*")
    for word in ("--files", pattern)]
