#!/usr/bin/env bash
# What a constant of src/kernels/machine.h decides: times of a program with other values of it, beside those with its own, in turn in
# one run, natively on one core.
#   tests/bench/constants/measure.sh NAME program.hlo value …     (make native first; the notebook is docs/performance.md)
# Only the sources that name the constant are compiled again, with a machine.h of their own; they go before the library's.
set -euo pipefail
cd "$(dirname "$0")/../../.."
readonly name=$1 program=$2
shift 2
readonly scratch=$(mktemp -d) library=build/optimized/libhlo.a clang=${CLANG:-clang-19}
trap 'rm -rf "$scratch"' EXIT
readonly flags="-std=c11 -Iinclude -O2 -ffp-contract=off -fno-math-errno -fno-strict-aliasing -D_POSIX_C_SOURCE=199309L"
mapfile -t sources < <(grep -rlw "$name" src --include=*.c)
readonly own=$(sed -nE "s/^ +$name = ([^,]*),.*/\1/p" src/kernels/machine.h)
[ -n "$own" ] || { echo "machine.h has no $name on a line of its own" >&2; exit 1; }

readonly values=("$own" "$@")

# build INDEX: the program that times, where the constant has that value.
build() {
  local folder=$scratch/$1 source objects=()
  mkdir -p "$folder/kernels"
  sed -E "s/^( +$name = )[^,]*,/\1${values[$1]},/" src/kernels/machine.h >"$folder/kernels/machine.h"
  for source in "${sources[@]}"; do
    objects+=("$folder/$(basename "$source" .c).o")
    $clang $flags "-I$folder" -Isrc -c "$source" -o "${objects[-1]}"
  done
  $clang $flags -Isrc tests/bench/constants/time.c "${objects[@]}" "$library" -lm -o "$folder/time"
}

least_of() { sort -n "$scratch/$1/times" | head -1; }

for i in "${!values[@]}"; do build "$i"; done
for _ in 1 2 3; do
  for i in "${!values[@]}"; do "$scratch/$i/time" "$program" "${SECONDS_EACH:-1}" >>"$scratch/$i/times"; done
done
for i in "${!values[@]}"; do
  awk -v what="$name = ${values[$i]}" -v time="$(least_of "$i")" -v own="$(least_of 0)" \
    'BEGIN { printf "%s: %.1f us, %.2f times\n", what, time / 1000, time / own }'
done
