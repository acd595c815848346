"""An example of `hepcheck explain`: the bytes that differ between a broken file and the valid one, part by part.
See generators/explain.py. No code repairs a file: its writer has to be fixed.
"""

MOST = 24   # maximum number of lines per side
ROWS = 4    # and per part


def _rows(content):
    return [content[at:at + 16] for at in range(0, len(content), 16)]


def _lines(label, content, marked):
    if content is None:
        return [f"no {label}"]
    made = [f"{label}, {len(content)} bytes"]
    rows = _rows(content)
    for number in marked[:ROWS]:
        if number < len(rows):
            row = rows[number]
            shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
            made.append(f"  +{16 * number:#06x}  {row.hex(' ', 4):35}  {shown}")
    return made + (["  ..."] if len(marked) > ROWS else [])


WHOLE = "bytes of the file"  # which was changed after it was complete


def _built(thing, whole=False):
    made = thing.bytes()
    return thing.labels | ({WHOLE: made} if whole else {})


def example(recipe, others):
    bad = _built(recipe.mutated())
    good = _built(recipe.base(), WHOLE in bad)
    sides = [], []
    for label in [*good, *(each for each in bad if each not in good)]:
        first, second = good.get(label), bad.get(label)
        if first == second:
            continue
        pair = _rows(first or b""), _rows(second or b"")
        marked = [i for i in range(max(map(len, pair)))
                  if pair[0][i:i + 1] != pair[1][i:i + 1]]
        for side, content in zip(sides, (first, second)):
            side.extend(_lines(label, content, marked))
    good, bad = (side[:MOST] + (["..."] if len(side) > MOST else []) or ["no difference"]
                 for side in sides)
    return {"good": "\n".join(good) + "\n", "bad": "\n".join(bad) + "\n",
            "lines": len(good) + len(bad)}
