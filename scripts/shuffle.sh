#!/usr/bin/env bash
# Runs every test in random order, again and again, and prints failures: scripts/shuffle.sh [ROUNDS] [PACKAGE...]
#
# A round runs each package twice, with GOMAXPROCS 1 and 2. The journeys of e2e are left out unless they are named.
# A failure is printed with the command that repeats its order. The output of each failed run stays in the folder that
# the last line names.
set -eu
cd "$(dirname "$0")/.."

rounds=${1:-20}
[ $# = 0 ] || shift
[[ $rounds =~ ^[1-9][0-9]*$ ]] || {
	echo "usage: $0 [ROUNDS] [PACKAGE...]" >&2
	exit 2
}

dir=$(mktemp -d /tmp/lectern-shuffle.XXXXXX)
child=
# Background jobs of the shell ignore Ctrl-C, so the test is killed explicitly.
stop() {
	[ -z "$child" ] || kill "$child" 2>/dev/null || true
	exit "$1"
}
trap 'stop 130' INT
trap 'stop 143' TERM

# Each package is built once; its binary runs in the package's folder, as with go test.
failed=0
template='{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{.Dir}}{{end}}'
go list -f "$template" "${@:-./...}" >"$dir/listed"
if [ $# = 0 ]; then
	grep -v '^lectern/e2e' "$dir/listed" >"$dir/packages"
else
	mv "$dir/listed" "$dir/packages"
fi
while read -r package folder; do
	name=${package//\//_}
	go test -c -vet=off -o "$dir/$name.test" "$package" </dev/null
	for round in $(seq "$rounds"); do
		for procs in 1 2; do
			out=$dir/$name.$round.$procs
			seed=$((RANDOM * 32768 + RANDOM))
			(cd "$folder" && GOMAXPROCS=$procs exec "$dir/$name.test" -test.shuffle=$seed -test.parallel 4 \
				-test.timeout 20m) >"$out" 2>&1 </dev/null &
			child=$!
			if wait "$child"; then
				rm "$out"
			else
				failed=$((failed + 1))
				echo "== $package, round $round: GOMAXPROCS=$procs go test -count=1 -parallel 4 -shuffle=$seed $package"
				grep -E '^ *--- FAIL|^panic:|DATA RACE' "$out" || tail -5 "$out"
			fi
			child=
		done
	done
	rm "$dir/$name.test"
	echo "$package ran $((rounds * 2)) times"
done <"$dir/packages"

if [ "$failed" != 0 ]; then
	echo "== $failed runs failed; what they printed is in $dir"
	exit 1
fi
rm -rf "$dir"
echo "== nothing failed in $rounds rounds"
