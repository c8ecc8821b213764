#!/usr/bin/env bash
# run.sh NAME COMMAND…: a line if the command passes; what it printed, too, if it fails or SHOW_ALL is set. Leaves its output
# and, if it passes, a mark in $REPORTS.
set -u
name=$1
shift
report=$REPORTS/${name//\//-}
mkdir -p "$REPORTS"
TIMEFORMAT='%0R s, %1U s of processor time'
{ time "$@" >"$report.log" 2>&1; } 2>"$report.time"
status=$?
time=$(tail -n 1 "$report.time")
if [ "$status" -eq 0 ]; then
  [ -n "${SHOW_ALL:-}" ] && cat "$report.log"
  touch "$report.passed"
  echo "passed $name ($time)"
else
  # Node says at the end what has failed, after all that has passed.
  grep -q '^✖ failing tests:' "$report.log" && sed -n '/^✖ failing tests:/,$p' "$report.log" || cat "$report.log"
  echo "FAILED $name (status $status, $time)"
  exit 1
fi
