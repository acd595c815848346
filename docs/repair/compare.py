"""Repairs every broken container of the corpus with hepcheck, h5clear and h5repack, side by side.

    HEPCHECK=build/release/hepcheck python3 docs/repair/compare.py > docs/repair/containers.tsv

One line for each fixture: what each tool did, and what the container is afterwards, judged by
`hepcheck validate` with both specifications of the container. `h5clear -s --increment=0` clears the marks and sets the end of
file; h5repack copies all objects.
"""

import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEPCHECK = str(pathlib.Path(os.environ["HEPCHECK"]).resolve())
SPECS = ["hdf5-swmr-2013-10-10", "hdf5-file-format-4.0"]
PATIENCE = 60


def run(*words):
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, errors="replace")
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return "hangs", ""


def judged(path):
    """The clauses that a file breaks, or why it cannot be judged."""
    status, text = run(HEPCHECK, "validate", *(f"--spec={spec}" for spec in SPECS), "--format", "json", path)
    try:
        files = json.loads(text)["files"]
        return {c["id"] for f in files for s in f["tables"] for c in s["clauses"]
                if c["verdict"] == "fail" and c["severity"] in ("error", "warning")
                and not c["id"].startswith("h5-risk-")} | {f["error"] for f in files if f["error"]}
    except (ValueError, KeyError, TypeError):
        return {f"status {status}"}


def ended(status):
    if status == "hangs":
        return status
    return "done" if status == 0 else f"crashes ({-status})" if status < 0 or status > 128 else "refuses"


def compare(fixture):
    with tempfile.TemporaryDirectory() as folder:
        broken = ROOT / "fixtures/hdf5" / fixture["file"]
        paths = {tool: f"{folder}/{tool}.h5" for tool in ("hepcheck", "h5clear", "h5repack")}
        shutil.copy(broken, paths["h5clear"])
        status = {
            "hepcheck": run(HEPCHECK, "repair", "--spec", SPECS[1], "-q", broken, "-o", paths["hepcheck"])[0],
            "h5clear": run("h5clear", "-s", "--increment=0", paths["h5clear"])[0],
            "h5repack": run("h5repack", broken, paths["h5repack"])[0]}
        before = judged(broken)
        row = [fixture["clause"], fixture["file"]]
        for tool, path in paths.items():
            if not os.path.exists(path):
                row.append(f"{'crashes' if status[tool] != 1 and ended(status[tool]) != 'refuses' else 'refuses'}")
                continue
            same = open(path, "rb").read() == broken.read_bytes()
            after = judged(path)
            left = "sound" if not after else "broken as before" if after == before else "broken otherwise"
            how = ended(status[tool]) if tool != "hepcheck" else "done"
            row.append(f"{how}, {'unchanged' if same else 'changed'}, {left}")
        return row


def main():
    manifest = json.loads((ROOT / "fixtures/hdf5/manifest.json").read_text())["fixtures"]
    broken = [f for f in manifest if f["kind"] == "invalid"]
    chosen = sys.argv[1:]
    if chosen:
        broken = [f for f in broken if any(word in f["file"] for word in chosen)]
    print("clause", "fixture", "hepcheck repair", "h5clear -s --increment=0", "h5repack", sep="\t")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for row in pool.map(compare, broken):
            print(*row, sep="\t")


if __name__ == "__main__":
    main()
