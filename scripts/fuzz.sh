#!/usr/bin/env bash
# Runs every fuzz target for a short while, one after another: scripts/fuzz.sh [DURATION]
set -eu

grep -rHoE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+' . | sort | sed 's/:func /:/' |
	while IFS=: read -r file target; do
		echo "== $target in $(dirname "$file")"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "${1:-10s}" -fuzzminimizetime 1s "$(dirname "$file")" </dev/null
	done
