#!/usr/bin/env bash
# Splits a linked build into two modules: the first with all that is needed often, the second with the functions of some
# source files. A call of one of those from anywhere reaches a placeholder until the second is instantiated: a function that
# calls the first's only import, which loads the second, and then what stands at its own place in the table.
#   split.sh WHOLE.wasm LINK.map FIRST.wasm SECOND.wasm "src/eval/pointwise_narrow …" src/text/parse src/text/source …
# Static functions of the files in the fifth argument have no placeholders: their pointers are to be had only from functions of
# the same file, thus when the second module is there.
# The module was linked with names, which both lose here; static functions have unique ones (-funique-internal-linkage-names).
# Both modules import under one name, which is made of the whole one's bytes: those of different builds do not fit.
set -euo pipefail

readonly whole=$1 map=$2 first=$3 second=$4 tables=$5
shift 5
readonly here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/build/toolchain

# Binaryen's tools stand beside the wasm-opt that emcc uses.
find_binaryen() {
  local found emcc
  emcc=$(sed -nE "s/^exec '?([^ ']+)'? .*/\1/p" "$here/bin/emcc")
  for found in "$here/binaryen/bin/wasm-split" "$(dirname "${emcc:-/none/none}")/../bin/wasm-split" "$(command -v wasm-split || true)"; do
    if [ -x "$found" ]; then dirname "$found"; return; fi
  done
  echo "wasm-split is missing: it is part of Binaryen, as wasm-opt is" >&2
  return 1
}
readonly binaryen=$(find_binaryen)
# Without reference types: so both use the one table that there is, and calls through it stay direct.
readonly features="--mvp-features --enable-multivalue --enable-mutable-globals --enable-sign-ext --enable-simd --enable-relaxed-simd
  --enable-threads --enable-bulk-memory --enable-nontrapping-float-to-int"

# The functions of files, one a line. Lines of the map's code section end in "build/wasm/hlo/src/text/parse.o:(hlo_parse)".
functions_of() {
  printf '%s\n' "$@" | awk '
    NR == FNR { wanted[$0] = 1; next }
    / CODE$/ { code = 1; next }
    /^ +-? +[0-9a-f]+ +[0-9a-f]+ [A-Z]+$/ { code = 0 }
    code && match($0, /[^ ]*\.o:\(.*\)$/) {
      text = substr($0, RSTART); colon = index(text, ".o:("); file = substr(text, 1, colon - 1)
      sub(/^.*build\/wasm\/[^\/]*\//, "", file)
      if (file in wanted) print substr(text, colon + 4, length(text) - colon - 4)
    }' - "$map" | sort -u
}
functions_of "$@" >"$second.functions"
# The places in the table that have no placeholders.
functions_of $tables | grep '\.__uniq\.' >"$second.static"
"$binaryen/wasm-dis" $features "$whole" | awk '
  NR == FNR { wanted["$" $0] = 1; next }
  /^ \(elem / { sub(/\)$/, ""); for (i = 5; i <= NF; i++) if ($i in wanted) print $4 + i - 5 }' "$second.static" - >"$second.places"
id=$(cksum <"$whole" | cut -d ' ' -f 1)

# Functions that the optimiser has removed are warned of.
"$binaryen/wasm-split" $features --split "$whole" -o1 "$first.split" -o2 "$second.split" --split-funcs="@$second.functions" \
  --import-namespace="$id" --placeholder-namespace="$id" --export-prefix=% 2>&1 | grep -v 'does not exist' >&2 || [ "${PIPESTATUS[0]}" = 0 ]
"$binaryen/wasm-dis" $features "$first.split" -o "$first.text"
"$binaryen/wasm-dis" $features "$second.split" -o "$second.text"

# Placeholders as wasm-split makes them are a thousand imports, each a JavaScript function to be made when the module is
# instantiated, and what the second calls in the first are some hundred exports: that would take longer than compiling.
# Here they become functions of the module, and places in the table, by whose numbers the second imports.
awk '
  pass == 1 { unreached[$0] = 1; next }
  pass == 2 { exported += /^ \(export "%/; next }
  /^ \(import / {
    split($0, quoted, "\"")
    if (!named++) print " (import \"" quoted[2] "\" \"rest\" (func $rest (param i32) (result i32)))"
    match($0, /\(func .*\)/)
    head = substr($0, RSTART, RLENGTH - 2)
    split(head, words, " ")
    if (quoted[4] in unreached) { left_out[words[2]] = 1; next }
    type = substr(head, length("(func " words[2]) + 1)
    count = match(type, /\(param [^)]*\)/) ? split(substr(type, RSTART + 7, RLENGTH - 8), parameters, " ") : 0
    arguments = ""; for (i = 0; i < count; i++) arguments = arguments " (local.get " i ")"
    functions = functions head " (call_indirect" type arguments " (call $rest (i32.const " quoted[4] "))))\n"
    next
  }
  /^ \(table / { first = $3; $3 += exported }
  /^ \(elem / { sub(/\)$/, " )"); for (i = 5; i <= NF; i++) if ($i in left_out) $i = "$unreached" }
  /^ \(export "%/ { match($0, /\(func [^)]*/); places = places " " substr($0, RSTART + 6, RLENGTH - 6); next }
  /^\)/ { printf "(func $unreached (unreachable))\n%s(elem (i32.const %d)%s)\n", functions, first, places }
  { print }' pass=1 "$second.places" pass=2 "$first.text" pass=3 "$first.text" | "$binaryen/wasm-as" $features - -o "$first"
awk -F '"' -v OFS='"' '
  NR == FNR { if ($0 ~ /^ \(table /) { split($0, words, " "); place = words[3] } if ($2 ~ /^%/) places[$2] = place++; next }
  /^ \(import / && $4 in places { $4 = places[$4] }
  { print }' "$first.text" "$second.text" | "$binaryen/wasm-as" $features - -o "$second"
rm "$first.split" "$second.split" "$first.text" "$second.text" "$second.static" "$second.places"
