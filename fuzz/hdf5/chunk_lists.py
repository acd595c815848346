"""Compares the chunk lists of a file by hepcheck, which reads its bytes, and by libhdf5. If they differ,
one of the two is wrong.

A list is {(offset, ...): (mask, address, size)}. libhdf5 reports the addresses of chunks (get_chunk_info),
but wrong offsets for an extensible array whose unlimited dimension is not the first. Its data is correct
in that case, too: the bytes that it returns for the chunk at an offset are those at the address."""

import json
import subprocess

import h5py

MOST = 5000  # chunks of a dataset whose bytes are compared
MANY = 300  # with more chunks, requesting one after another takes too long


def by_hepcheck(hepcheck, path):
    """{dataset: list} for the datasets with a valid index; None if it is unknown."""
    run = subprocess.run([hepcheck, "chunks", "--format", "json", path], capture_output=True,
                         timeout=120)
    if run.returncode not in (0, 3):
        raise AssertionError(f"hepcheck chunks ended with {run.returncode}: {run.stderr[-500:]}")
    made = {}
    for dataset in json.loads(run.stdout)["datasets"]:
        if not dataset["whole"]:
            continue
        chunks = {tuple(each["offset"]): (each["mask"], each["address"], each["size"])
                  for each in dataset["chunks"]}
        assert len(chunks) == len(dataset["chunks"]), f"{dataset['path']}: a chunk twice"
        made[dataset["path"]] = dataset, chunks
    return made


def _info_is_right(dataset, index):
    """Whether libhdf5 reports correct offsets of chunks."""
    return index != "extensible array" or dataset.maxshape[0] is None or None not in dataset.maxshape


def _listed(dataset):
    infos, number = [], dataset.id.get_num_chunks()
    if number > MANY:
        dataset.id.chunk_iter(infos.append)
    else:
        infos = [dataset.id.get_chunk_info(i) for i in range(number)]
    return {tuple(i.chunk_offset): (i.filter_mask, i.byte_offset, i.size) for i in infos}


def _bytes_differ(dataset, chunks, path):
    """Compares the chunk that libhdf5 reads at each offset with the bytes at its address."""
    inside = [offset for offset in sorted(chunks)
              if all(at < size for at, size in zip(offset, dataset.shape))]
    with open(path, "rb") as file:
        for offset in inside[:MOST]:
            mask, address, size = chunks[offset]
            file.seek(address)
            if (mask, file.read(size)) != dataset.id.read_direct_chunk(offset):
                yield f"{dataset.name}: other bytes in the chunk at {offset}"


def differences(hepcheck, path):
    """The differences as text, and the number of compared chunks."""
    ours, found, compared = by_hepcheck(hepcheck, path), [], 0
    with h5py.File(path, "r") as file:
        for name, (about, chunks) in ours.items():
            try:
                dataset = file[name]
            except KeyError:  # libhdf5 refuses it
                continue
            if dataset.shape != tuple(about["shape"]) or dataset.chunks != tuple(about["chunk_shape"]):
                found.append(f"{name}: other sizes: {about}, {dataset.shape} in {dataset.chunks}")
                continue
            if dataset.chunks is None or dataset.shape is None:
                continue
            theirs = _listed(dataset) if _info_is_right(dataset, about["index"]) else None
            if theirs is not None and theirs != chunks:
                found.append(f"{name}: {sorted(chunks.items() - theirs.items())[:3]} by hepcheck "
                             f"alone, {sorted(theirs.items() - chunks.items())[:3]} by libhdf5 alone")
            found += _bytes_differ(dataset, chunks, path)
            compared += len(chunks)
    return found, compared
