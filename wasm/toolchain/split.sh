#!/usr/bin/env bash
# Splits a linked build into two modules: the first with all that is needed often, the second with the functions of some
# source files. A call of one of those from anywhere reaches a placeholder, an import, until the second is instantiated.
#   split.sh WHOLE.wasm LINK.map FIRST.wasm SECOND.wasm src/text/parse src/text/source …
# The module was linked with names, which both lose here; static functions have unique ones (-funique-internal-linkage-names).
# Both modules import under one name, which is made of the whole one's bytes: those of different builds do not fit.
set -euo pipefail

readonly whole=$1 map=$2 first=$3 second=$4
shift 4
readonly here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/build/toolchain

# Binaryen's tool stands beside the wasm-opt that emcc uses.
find_wasm_split() {
  local found emcc
  emcc=$(sed -nE "s/^exec '?([^ ']+)'? .*/\1/p" "$here/bin/emcc")
  for found in "$here/binaryen/bin/wasm-split" "$(dirname "${emcc:-/none/none}")/../bin/wasm-split" "$(command -v wasm-split || true)"; do
    if [ -x "$found" ]; then printf '%s' "$found"; return; fi
  done
  echo "wasm-split is missing: it is part of Binaryen, as wasm-opt is" >&2
  return 1
}

# Lines of the map's code section end in "build/wasm/hlo/src/text/parse.o:(hlo_parse)".
printf '%s\n' "$@" | awk '
  NR == FNR { wanted[$0] = 1; next }
  / CODE$/ { code = 1; next }
  /^ +-? +[0-9a-f]+ +[0-9a-f]+ [A-Z]+$/ { code = 0 }
  code && match($0, /[^ ]*\.o:\(.*\)$/) {
    text = substr($0, RSTART); colon = index(text, ".o:("); file = substr(text, 1, colon - 1)
    sub(/^.*build\/wasm\/[^\/]*\//, "", file)
    if (file in wanted) print substr(text, colon + 4, length(text) - colon - 4)
  }' - "$map" | sort -u >"$second.functions"
id=$(cksum <"$whole" | cut -d ' ' -f 1)

# Without reference types: so both use the one table that there is, and calls through it stay direct. Functions that the
# optimiser has removed are warned of.
"$(find_wasm_split)" --split "$whole" -o1 "$first" -o2 "$second" --split-funcs="@$second.functions" \
  --import-namespace="$id" --placeholder-namespace="$id" --export-prefix=% \
  --mvp-features --enable-multivalue --enable-mutable-globals --enable-sign-ext --enable-simd --enable-relaxed-simd \
  --enable-threads --enable-bulk-memory --enable-nontrapping-float-to-int 2>&1 | grep -v 'does not exist' >&2 || [ "${PIPESTATUS[0]}" = 0 ]
