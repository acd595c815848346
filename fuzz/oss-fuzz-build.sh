#!/bin/bash
# Builds the fuzz targets as OSS-Fuzz asks for: CXX, CXXFLAGS, LIB_FUZZING_ENGINE and OUT come from
# its environment, and so do a compiler and the libraries of dev-packages.txt.
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
  if [[ $name == image ]]; then seeds+=("$checkout/fixtures"); fi
  # An empty folder makes zip complain; a target without seeds needs no archive.
  if [[ -n $(find "${seeds[@]}" -type f 2>/dev/null | head -n 1) ]]; then
    (find "${seeds[@]}" -type f 2>/dev/null | zip -q -j "$OUT/${name}_seed_corpus.zip" -@)
  fi
  if [[ -e $checkout/fuzz/dictionaries/$name.dict ]]; then
    cp -- "$checkout/fuzz/dictionaries/$name.dict" "$OUT/"
  fi
done
