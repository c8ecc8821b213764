#!/usr/bin/env bash
# Makes what the build and the tests need from outside the repository available, and nothing else:
#   setup.sh emcc    build/toolchain/bin/emcc: Emscripten from PATH, from $EMSDK, or unpacked privately from Debian; and
#                    build/toolchain/bin/wasm-clang: the compiler that it calls, without the Python around it
#   setup.sh make T  `make T`, with make itself installed first: the way in for npm scripts
#   setup.sh tests   clang-19, lld-19, clang-format-19, SIMDe and browsers, for native tests, fuzzing, formatting, browser tests
# Does nothing (and needs no network) once its stamp is newer than this script.
#
# Debian 12 has no recent Emscripten, but Debian 13's package is mere scripts plus ready-made system libraries,
# and works with Debian 12's clang-19. So we take that package without installing it, and with it Debian 13's
# Binaryen, whose tools run under Debian 13's own dynamic loader and C library. /usr is not touched by this.
set -euo pipefail

readonly root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
readonly here=$root/build/toolchain
readonly oldest_emcc=3.1.50

say() { printf 'toolchain: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
on_debian() { have apt-get && have dpkg; }
codename() { . /etc/os-release && printf '%s' "${VERSION_CODENAME:-}"; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"
  elif have sudo; then sudo "$@"
  else die "need root for: $* (run it yourself, then try again)"; fi
}

# Installs Debian packages; refreshes the package lists only if the first attempt fails.
apt_install() {
  local command=(env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends
                 -o DPkg::Lock::Timeout=300 "$@")
  say "installing $*"
  as_root "${command[@]}" >&2 && return
  as_root apt-get update -q -o DPkg::Lock::Timeout=300 >&2
  as_root "${command[@]}" >&2
}

# need COMMAND PACKAGE...: installs the packages if the command (or file) is missing.
need() {
  local wanted=$1
  shift
  if [ -e "$wanted" ] || have "$wanted"; then return; fi
  on_debian || die "$wanted is missing; please install it (on Debian: apt-get install $*)"
  apt_install "$@"
}

# is_recent EMCC: true if this emcc runs and is at least $oldest_emcc.
is_recent() {
  local version
  version=$("$1" -dumpversion 2>/dev/null) || return 1
  [ "$(printf '%s\n' "$oldest_emcc" "${version%%-*}" | sort -V | head -n 1)" = "$oldest_emcc" ]
}

# Prints the path of an emcc that the user has already, if it is recent enough.
find_emcc() {
  local candidate
  for candidate in "$(command -v emcc || true)" "${EMSDK:-/nonexistent}/upstream/emscripten/emcc"; do
    if [ -x "$candidate" ] && [ "$candidate" != "$here/bin/emcc" ]; then
      if is_recent "$candidate"; then printf '%s\n' "$candidate"; return; fi
      say "$candidate is older than $oldest_emcc: not used"
    fi
  done
  return 1
}

# write_command FILE: makes an executable of standard input.
write_command() {
  mkdir -p "$(dirname "$1")"
  cat >"$1"
  chmod +x "$1"
}

# The machine's own Debian sources (so its own mirror and keys), with Debian 13 in place of Debian 12.
write_sources() {
  local file
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$file" ] || continue
    sed -nE 's/^(deb .*[ ])bookworm((-updates|-security)? )/\1trixie\2/p' "$file" >"$here/apt/sources/$(basename "$file" .list).list"
  done
  for file in /etc/apt/sources.list.d/*.sources; do
    [ -f "$file" ] || continue
    awk 'BEGIN { RS = ""; ORS = "\n\n" } /(^|\n)Suites:[^\n]* bookworm/ { gsub(/bookworm/, "trixie"); print }' \
      "$file" >"$here/apt/sources/$(basename "$file")"
  done
}

# Downloads Debian 13 packages into build/toolchain/packages by an apt that knows nothing of this system's state.
download_from_trixie() {
  mkdir -p "$here"/apt/{sources,state/lists/partial,cache/archives/partial} "$here/packages"
  write_sources
  cat >"$here/apt/apt.conf" <<END
Dir::State "$here/apt/state";
Dir::State::status "/dev/null";
Dir::Cache "$here/apt/cache";
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$here/apt/sources";
Acquire::Languages "none";
Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled "false";
Acquire::Retries "3";
APT::Sandbox::User "";
END
  APT_CONFIG=$here/apt/apt.conf apt-get update -q >&2
  (cd "$here/packages" && APT_CONFIG=$here/apt/apt.conf apt-get download -q "$@" >&2)
}

# unpack PACKAGE [tar option...]: unpacks a downloaded package without installing it.
unpack() {
  local package=$1
  shift
  mkdir -p "$here/new"
  dpkg --fsys-tarfile "$here/packages/${package}"_*.deb | tar -x -C "$here/new" "$@"
}

# Binaryen's programs under their own loader, so that they do not see this system's older C library.
wrap_binaryen() {
  local tool
  for tool in "$here"/trixie/usr/bin/wasm*; do
    write_command "$here/binaryen/bin/$(basename "$tool")" <<'END'
#!/bin/sh
root=$(cd "$(dirname "$0")/../../trixie" && pwd)
lib=$(echo "$root"/usr/lib/*-linux-gnu*)
exec "$lib"/ld-linux*.so.* --library-path "$lib" "$root/usr/bin/$(basename "$0")" "$@"
END
  done
}

# unpack_trixie: everything into build/toolchain/trixie, which appears only when it is complete.
unpack_trixie() {
  say "unpacking Emscripten from Debian 13 (a download of about 250 MB, once)"
  rm -rf "$here"/{new,packages,apt}
  download_from_trixie emscripten binaryen libc6 libstdc++6 libgcc-s1
  unpack emscripten --exclude='*/emscripten/test' --exclude='*/lib/wasm32-emscripten/lto*' \
    --exclude='*/lib/wasm32-emscripten/pic' --exclude='./usr/share/doc'
  unpack binaryen
  local package
  for package in libc6 libstdc++6 libgcc-s1; do
    unpack "$package" --exclude='*/gconv' --exclude='./usr/share'
  done
  rm -rf "$here"/{packages,apt}
  mv "$here/new" "$here/trixie"
}

make_emcc_from_debian() {
  [ -d "$here/trixie" ] || unpack_trixie
  wrap_binaryen
  cat >"$here/emscripten.config" <<'END'
import os, shutil
LLVM_ROOT = '/usr/bin'
LLVM_ADD_VERSION = CLANG_ADD_VERSION = '19'
BINARYEN_ROOT = os.path.join(os.path.dirname(os.environ['EM_CONFIG']), 'binaryen')
NODE_JS = shutil.which('node')
FROZEN_CACHE = True  # the package brings its system libraries ready-made
END
  write_command "$here/bin/emcc" <<'END'
#!/bin/sh
root=$(cd "$(dirname "$0")/.." && pwd)
EM_CONFIG=$root/emscripten.config exec "$root/trixie/usr/share/emscripten/emcc" "$@"
END
}

provide_emcc() {
  local found
  if found=$(find_emcc); then
    say "using $found"
    write_command "$here/bin/emcc" <<<"#!/bin/sh
exec '$found' \"\$@\""
    return
  fi
  if on_debian && [ "$(codename)" = bookworm ]; then
    need clang-19 clang-19 lld-19 llvm-19
    need wasm-ld-19 lld-19
    need llvm-ar-19 llvm-19
    need python3 python3
    make_emcc_from_debian
  elif on_debian && [ "$(codename)" = trixie ]; then
    apt_install emscripten
    write_command "$here/bin/emcc" <<<'#!/bin/sh
exec /usr/bin/emcc "$@"'
  else
    die "no Emscripten >= $oldest_emcc found. Please install it with emsdk
  (https://emscripten.org/docs/getting_started/downloads.html: ./emsdk install latest && ./emsdk activate latest)
  and either put its emcc on PATH or set EMSDK to its directory."
  fi
  say "emcc $("$here/bin/emcc" -dumpversion) is ready"
}

# emcc says which clang it runs, with which arguments before ours. Where it does not, it stays the compiler itself.
provide_wasm_clang() {
  local command
  command=$(cd "$here" && EMCC_VERBOSE=1 bin/emcc -DARGUMENTS -c -x c /dev/null -o asked.o 2>&1 |
    sed -nE 's/^ *(.*clang.*) -DARGUMENTS .*/\1/p' | head -n 1)
  rm -f "$here/asked.o"
  write_command "$here/bin/wasm-clang" <<<"#!/bin/sh
exec ${command:-"'$here/bin/emcc'"} \"\$@\""
}

# A compiler with sanitizers and libFuzzer, the formatter, and the wasm intrinsics for native code.
provide_native_tools() {
  need clang-19 clang-19
  need ld.lld-19 lld-19
  need clang-format-19 clang-format-19
  need "$(clang-19 -print-resource-dir)/lib/linux/libclang_rt.asan-$(uname -m).a" libclang-rt-19-dev
  need /usr/include/simde/wasm/relaxed-simd.h libsimde-dev
}

provide_chromium() {
  if [ -n "${CHROMIUM:-}" ]; then
    [ -x "$CHROMIUM" ] || die "CHROMIUM=$CHROMIUM is not a program"
  else
    need chromium chromium fonts-liberation
  fi
}

# Tests do without these where they cannot be had.
provide_other_browsers() {
  on_debian || return 0
  (need firefox-esr firefox-esr && need Xvfb xvfb &&
    need "$(echo /usr/lib/*/webkit2gtk-4.1/MiniBrowser)" libwebkit2gtk-4.1-0) ||
    say "Firefox and WebKit could not be installed: the tests are without them"
}

# once STAMP COMMAND...: runs the commands unless the stamp is newer than this script; one process at a time.
once() {
  local stamp=$here/$1
  shift
  if [ "$stamp" -nt "${BASH_SOURCE[0]}" ]; then return; fi
  mkdir -p "$here"
  exec 9>"$here/lock"
  flock 9
  local command
  for command in "$@"; do "$command"; done
  touch "$stamp"
  flock -u 9
}

case ${1:-} in
  emcc) once emcc.ready provide_emcc provide_wasm_clang ;;
  tests) once tests.ready provide_native_tools provide_chromium provide_other_browsers ;;
  make)
    need make make
    cd "$root"
    exec make "${@:2}"
    ;;
  *) die "usage: setup.sh emcc | tests | make TARGET..." ;;
esac
