#!/usr/bin/env bash
# Prints the folder of the newest PostgreSQL, 15 or later, that has pg_trgm; exits with 1 if there is none.
set -eu

for bin in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV) "$(dirname "$(command -v initdb || true)")"; do
	[ -x "$bin/initdb" ] && [ -x "$bin/pg_ctl" ] && [ -x "$bin/pg_config" ] || continue
	version=$("$bin/initdb" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
	if [ "$version" -ge 15 ] && [ -e "$("$bin/pg_config" --sharedir)/extension/pg_trgm.control" ]; then
		echo "$bin"
		exit
	fi
done
exit 1
