#!/usr/bin/env bash
# summary.sh NAME…: which of the tests of these names have left no mark of passing in $REPORTS, if any: run.sh makes the marks.
set -u
failed=()
for name in "$@"; do
  [ -e "$REPORTS/${name//\//-}.passed" ] || failed+=("$name")
done
if [ ${#failed[@]} -gt 0 ]; then
  printf 'FAILED: %s\n' "${failed[@]}"
  exit 1
fi
echo "all $# passed"
