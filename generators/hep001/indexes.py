"""Reference builders of the four families of search indexes, written directly from sections 10.4 to 10.7.

They are simple and slow on purpose, because they are the oracle. Each takes a column and the number of logical
rows; a column offers `type`, `values`, `chunk`, `fill_value` (None if not user-defined).
"""

from .murmur3 import murmur3_x64_128
from .datatypes import U64, compound
from .values import canonical_bytes, is_missing, is_nan, logical


def _rows(column, nrows):
    known = {}  # of integers and texts, which a long column repeats

    def of(value):
        if type(value) not in (int, str):
            return logical(column.type, value)
        if value not in known:
            known[value] = logical(column.type, value)
        return known[value]

    return [of(value) for value in column.values[:nrows]]


def _fill(column):
    return None if column.fill_value is None else logical(column.type, column.fill_value)


def chunks_of(column, rows):
    """The logical rows of each data-bearing chunk; any layout but chunked is one chunk."""
    size = column.chunk or max(len(rows), 1)
    return [rows[start:start + size] for start in range(0, len(rows), size)]


def minmax_type(column_type):
    return compound({"min": column_type, "max": column_type,
                     "nan_count": U64, "fill_count": U64, "n": U64})


def chunk_minmax(column, nrows):
    """One dict per chunk: min, max, nan_count, fill_count, n."""
    fill = _fill(column)
    entries = []
    for rows in chunks_of(column, _rows(column, nrows)):
        valid = [row for row in rows if not is_missing(row, fill) and not is_nan(row)]
        entries.append({
            "min": min(valid) if valid else column.fill_value,
            "max": max(valid) if valid else column.fill_value,
            "nan_count": sum(is_nan(row) for row in rows),
            "fill_count": sum(is_missing(row, fill) for row in rows),
            "n": len(rows),
        })
    return entries


def _tail(row, fill):
    """0 for a row that has a place in the order, 1 in the fill tail, 2 in the NaN tail."""
    return 2 if is_nan(row) else 1 if is_missing(row, fill) else 0


def sorted_rows(column, nrows):
    """Row positions in order of value; ties, fill tail and NaN tail each in order of row."""
    rows, fill = _rows(column, nrows), _fill(column)

    def key(r):
        tail = _tail(rows[r], fill)
        return (tail, r) if tail else (0, rows[r], r)

    return sorted(range(nrows), key=key)


def tail_lengths(column, nrows):
    """(nan_tail_length, fill_tail_length)"""
    fill = _fill(column)
    tails = [_tail(row, fill) for row in _rows(column, nrows)]
    return tails.count(2), tails.count(1)


def bitmap(column, nrows, indexed):
    """One bytearray per indexed value: bit r % 8 of byte r // 8 is set if row r has the value."""
    rows = _rows(column, nrows)
    result = []
    for value in indexed:
        bits = bytearray(-(-nrows // 8))
        sought = logical(column.type, value)
        for r, row in enumerate(rows):
            if row == sought:
                bits[r // 8] |= 1 << r % 8
        result.append(bits)
    return result


def bloom_bits(data, k, m_bits, seed):
    """The filter bits of some canonical bytes, by exact integers (Kirsch-Mitzenmacher)."""
    a, b = murmur3_x64_128(data, seed)
    return [(a + i * b) % m_bits for i in range(k)]


def chunk_bloom(column, nrows, k, m_bits, seed, bits_of=bloom_bits, bytes_of=canonical_bytes):
    """One bytearray per chunk. `bits_of` and `bytes_of` may be replaced to create a wrong filter."""
    fill = _fill(column)
    filters = []
    for rows in chunks_of(column, _rows(column, nrows)):
        bits = bytearray(m_bits // 8)
        for row in rows:
            if not is_missing(row, fill) and not is_nan(row):
                for g in bits_of(bytes_of(column.type, row), k, m_bits, seed):
                    bits[g // 8] |= 1 << g % 8
        filters.append(bits)
    return filters
