#!/usr/bin/env bash
# Splits a linked build into its parts (wasm/flags.mk): a first module, and others with the functions of their source files. A call of
# one of those from anywhere reaches a placeholder until its part is instantiated: a function that calls the first module's import
# named after the part, which throws, or gives the place in the table where the function is by now.
#   split.sh WHOLE.wasm LINK.map FIRST.wasm SECOND.wasm programs "src/codegen/graph/graph …" THIRD.wasm extras "…"
# Static functions have no placeholders: their pointers are to be had only from functions of the same file, thus when its part is
# there. The last part is cut off first.
# Constants go with their source file, which alone may read them: what a function of another part does not reach. All other data
# stay in the first.
# The module was linked with names, which all lose here; static functions have unique ones (-funique-internal-linkage-names).
# All modules import under one name, which is made of the whole one's bytes: those of different builds do not fit.
set -euo pipefail

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

readonly merge=--duplicate-function-elimination
readonly whole=$1 map=$2 first=$3
readonly others=("${@:4}")

# What a section of the map has: source file, address there, name. Lines of it end in
# "build/wasm/hlo/src/text/parse.o:(hlo_parse)".
parts() {
  awk -v section="$1" '
    /^ +-? +[0-9a-f]+ +[0-9a-f]+ [A-Z]+$/ { inside = $NF == section; next }
    inside && match($0, /[^ ]*\.o:\(.*\)$/) {
      text = substr($0, RSTART); colon = index(text, ".o:("); file = substr(text, 1, colon - 1)
      sub(/^.*build\/wasm\/[^\/]*\//, "", file)
      print file, $1, substr(text, colon + 4, length(text) - colon - 4)
    }' "$map"
}
readonly wanted='NR == FNR { wanted[$0] = 1; next }'
functions_of() { parts CODE | awk "$wanted"' $1 in wanted { print $3 }' <(printf '%s\n' "$@") - | sort -u; }
# The addresses where these files' constants begin and where they end, in turn.
constants_of() {
  parts DATA | awk "$wanted"' { is = $1 in wanted && $3 ~ /^\.rodata/ } is != was { print "0x" $2 } { was = is }' <(printf '%s\n' "$@") - |
    while read -r address; do
      echo $((address))
    done
}
readonly id=$(cksum <"$whole" | cut -d ' ' -f 1)

# cut_off FROM LEFT CUT NAME "…": the functions of these source files go into CUT, which LEFT asks for by the import of that
# name, all others into LEFT, which keeps function names.
cut_off() {
  local from=$1 left=$2 cut=$3 name=$4 files=$5
  functions_of $files >"$cut.functions"
  # The places in the table that have no placeholders. Those that other parts import by have: a part may call a static function of
  # another one, where what stood between them was short enough to be inlined.
  grep '\.__uniq\.' "$cut.functions" >"$cut.static"
  "$binaryen/wasm-dis" $features "$from" | awk -v linked="$linked" '
    NR == FNR { wanted["$" $0] = 1; next }
    /^ \(elem / { sub(/\)$/, ""); for (i = 5; i <= NF && i < 5 + linked; i++) if ($i in wanted) print $4 + i - 5 }' "$cut.static" - >"$cut.places"

  # Functions that the optimiser has removed are warned of.
  "$binaryen/wasm-split" $features -g --split "$from" -o1 "$left.split" -o2 "$cut.split" --split-funcs="@$cut.functions" \
    --import-namespace="$id" --placeholder-namespace="$id" --export-prefix=% 2>&1 | grep -v 'does not exist' >&2 || [ "${PIPESTATUS[0]}" = 0 ]
  "$binaryen/wasm-dis" $features "$left.split" -o "$left.text"
  "$binaryen/wasm-dis" $features "$cut.split" -o "$cut.text"
  constants_of $files >"$cut.constants"

  # Placeholders as wasm-split makes them are a thousand imports, each a JavaScript function to be made when the module is
  # instantiated, and what the second calls in the first are some hundred exports: that would take longer than compiling.
  # Here they become functions of the module, and places in the table, by whose numbers the second imports.
  awk '
    # Whether a byte is of the constants to be cut off.
    function is_cut(address,    i) {
      for (i = turns; i > 0 && address < turn[i]; i--);
      return i % 2
    }
    # The bytes of a line of data, those of the constants to be cut off apart.
    function divide(line,    address, text, i, length_of, was, is, piece) {
      match(line, /i32\.const [0-9]+/)
      address = substr(line, RSTART + 10, RLENGTH - 10) + 0
      text = substr(line, RSTART + RLENGTH + 3)
      sub(/"\)$/, "", text)
      for (i = 1; ; i += length_of) {
        is = i > length(text) ? -1 : is_cut(address)
        if (is != was && piece != "") {
          line = " (data (i32.const " start ") \"" piece "\")"
          if (was) print line >cut; else print line
          piece = ""
        }
        if (is < 0) return
        if (piece == "") start = address
        length_of = substr(text, i, 1) != "\\" ? 1 : substr(text, i + 1, 2) ~ /^[0-9a-f][0-9a-f]$/ ? 3 : 2
        piece = piece substr(text, i, length_of)
        was = is
        address++
      }
    }
    pass == 0 { turn[++turns] = $1; next }
    pass == 1 { unreached[$0] = 1; next }
    pass == 2 { if (/^ \(export "%/) { match($0, /\(func [^)]*/); places = places " " substr($0, RSTART + 6, RLENGTH - 6); exported++ } next }
    /^ \(import / {
      split($0, quoted, "\"")
      if (!named++) print " (import \"" quoted[2] "\" \"" name "\" (func $" name " (param i32) (result i32)))"
      if (quoted[4] !~ /^[0-9]/) { print; next }
      match($0, /\(func .*\)/)
      head = substr($0, RSTART, RLENGTH - 2)
      split(head, words, " ")
      if (quoted[4] in unreached) { left_out[words[2]] = 1; next }
      type = substr(head, length("(func " words[2]) + 1)
      count = match(type, /\(param [^)]*\)/) ? split(substr(type, RSTART + 7, RLENGTH - 8), parameters, " ") : 0
      arguments = ""; for (i = 0; i < count; i++) arguments = arguments " (local.get " i ")"
      functions = functions head " (call_indirect" type arguments " (call $" name " (i32.const " quoted[4] "))))\n"
      next
    }
    /^ \(table / { size = $3; $3 += exported }
    /^ \(elem / { # the only one: it fills the table
      sub(/\)$/, ""); for (i = 5; i <= NF; i++) if ($i in left_out) $i = "$unreached"
      if ($4 + NF - 4 != size) print "split.sh: the table is not full" >"/dev/stderr"
      $0 = $0 places ")" }
    /^ \(export "%/ { next }
    /^ \(data / { divide($0); next }
    match($0, /(i32\.const |offset=)[0-9]+/) {
      split(substr($0, RSTART, RLENGTH), words, /[ =]/)
      # An address computed from may be a little outside of its array.
      if (is_cut(words[2] - 256) && is_cut(words[2] + 256)) {
        print "split.sh: constants of another part are read: " $0 >"/dev/stderr"
        exit 1
      }
    }
    /^\)/ { printf "%s", functions; if (!has_unreached) print "(func $unreached (unreachable))" }
    /^ \(func \$unreached/ { has_unreached = 1 }
    { print }' name="$name" cut="$cut.data" pass=0 "$cut.constants" pass=1 "$cut.places" pass=2 "$left.text" pass=3 "$left.text" | "$binaryen/wasm-as" $features -g - -o "$left"
  awk -F '"' -v OFS='"' '
    NR == FNR { if ($0 ~ /^ \(table /) { split($0, words, " "); place = words[3] } if ($2 ~ /^%/) places[$2] = place++; next }
    /^ \(import / && $4 in places { $4 = places[$4] }
    /^\)/ { while ((getline line <data) > 0) print line }
    { print }' data="$cut.data" "$left.text" "$cut.text" | "$binaryen/wasm-as" $features - -o "$cut.all"
  "$binaryen/wasm-opt" $features $merge "$cut.all" -o "$cut"
  rm "$left.split" "$cut.split" "$left.text" "$cut.text" "$cut.functions" "$cut.static" "$cut.places" "$cut.constants" "$cut.data" "$cut.all"
}

# Functions in the table as it was linked.
readonly linked=$("$binaryen/wasm-dis" $features "$whole" | awk '/^ \(elem / { print NF - 4 }')
from=$whole
for ((i = ${#others[@]} - 3; i >= 0; i -= 3)); do
  cut_off "$from" "$first.$i" "${others[i]}" "${others[i + 1]}" "${others[i + 2]}"
  [ "$from" = "$whole" ] || rm "$from"
  from=$first.$i
done
"$binaryen/wasm-opt" $features $merge --strip-debug "$from" -o "$first"
[ -n "${KEEP_NAMES:-}" ] || rm "$from"
