#!/bin/bash
# Builds the fuzz targets for OSS-Fuzz, whose environment provides CXX, CXXFLAGS, LIB_FUZZING_ENGINE and
# OUT, a compiler and the libraries of dev-packages.txt and dev-packages-tests.txt.
set -euo pipefail

checkout=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")/..
: "${OUT:?}" "${LIB_FUZZING_ENGINE:?}"
work=${WORK:-$(mktemp -d)}/hepcheck

cmake -S "$checkout" -B "$work" -G Ninja -DHEPCHECK_FUZZ=ON -DHEPCHECK_TESTS=OFF \
  -DHEPCHECK_FUZZING_ENGINE="$LIB_FUZZING_ENGINE"
cmake --build "$work" --target fuzz_targets

for program in "$work"/fuzz/targets/*; do
  name=$(basename -- "$program")
  cp -- "$program" "$OUT/"
  seeds=("$checkout/fuzz/seeds/$name")
  if [[ $name == file_* ]]; then
    seeds+=("$checkout/fixtures/${name#file_}/valid" "$checkout/fixtures/${name#file_}/invalid")
  fi
  python3 - "$OUT/${name}_seed_corpus.zip" "${seeds[@]}" <<'END'
import pathlib, sys, zipfile

files = [f for folder in sys.argv[2:] for f in sorted(pathlib.Path(folder).rglob("*"))
         if f.is_file()]
if files:
    with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as corpus:
        for number, file in enumerate(files):  # the names alone are not unique
            corpus.write(file, f"{number:05}-{file.name}")
END
  if [[ -e $checkout/fuzz/dictionaries/$name.dict ]]; then
    cp -- "$checkout/fuzz/dictionaries/$name.dict" "$OUT/"
  fi
done
