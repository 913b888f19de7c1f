#!/usr/bin/env bash
# Runs a command beside a throw-away PostgreSQL: scripts/with-postgres.sh CMD...
#
# The command finds the server's URL in LECTERN_TEST_POSTGRES. If that is set already,
# the command simply runs. The server trusts everyone on 127.0.0.1 and runs without
# fsync: it is only for tests. A deadlock in its log is a failure even if all retries
# succeeded, because operations take locks in one order.
set -eu

if [ $# = 0 ]; then
	echo "usage: $0 CMD..." >&2
	exit 2
fi
if [ -n "${LECTERN_TEST_POSTGRES:-}" ]; then
	exec "$@"
fi

scripts=$(dirname "$0")
if ! bin=$("$scripts/postgres-bin.sh"); then
	"$scripts/apt-install.sh" postgresql postgresql-contrib
	bin=$("$scripts/postgres-bin.sh") || {
		echo "with-postgres: no PostgreSQL 15 or later found, even after installing Debian's" >&2
		exit 1
	}
fi

# PostgreSQL refuses to run as root.
as=()
if [ "$(id -u)" = 0 ]; then
	as=(runuser -u postgres --)
fi

dir=$(mktemp -d /tmp/lectern-postgres.XXXXXX)
stop() {
	if [ -e "$dir/data/postmaster.pid" ]; then
		(cd / && "${as[@]}" "$bin/pg_ctl" stop -D "$dir/data" -m immediate -w) >/dev/null 2>&1 || true
	fi
	rm -rf "$dir"
}
trap stop EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

if [ "$(id -u)" = 0 ]; then
	chown postgres "$dir"
fi

# The server's user may not be able to enter our folder, so it starts in /.
server() (cd / && "${as[@]}" "$@") </dev/null

server "$bin/initdb" -D "$dir/data" -U postgres -A trust --encoding=UTF8 --locale=C.UTF-8 --no-sync \
	>"$dir/initdb.log" 2>&1 || {
	cat "$dir/initdb.log" >&2
	exit 1
}
cat >>"$dir/data/postgresql.conf" <<CONF
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 500
shared_buffers = 128MB
fsync = off
synchronous_commit = off
full_page_writes = off
CONF

# Ports below the kernel's ephemeral range; if one is taken, try another.
tries=0
until port=$((15000 + RANDOM % 15000)) &&
	server "$bin/pg_ctl" start -D "$dir/data" -o "-p $port" -l "$dir/data/server.log" -w -t 60 >/dev/null 2>&1; do
	tries=$((tries + 1))
	if [ $tries -ge 5 ]; then
		cat "$dir/data/server.log" >&2
		exit 1
	fi
done

export LECTERN_TEST_POSTGRES="postgres://postgres@127.0.0.1:$port/postgres?sslmode=disable"
status=0
"$@" || status=$?
if grep -A 12 "deadlock detected" "$dir/data/server.log" >&2; then
	echo "with-postgres: PostgreSQL broke deadlocks, which are described above" >&2
	status=1
fi
exit "$status"
