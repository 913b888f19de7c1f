#!/bin/sh
# Installs Debian packages without asking anything: scripts/apt-install.sh PACKAGE...
set -eu
exec </dev/null >&2

if ! command -v apt-get >/dev/null; then
	echo "apt-install: no apt-get here; please install by hand what provides: $*"
	exit 1
fi

as_root=
if [ "$(id -u)" != 0 ]; then
	as_root=sudo
fi

install() {
	$as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 -qq --no-install-recommends install -y "$@"
}

echo "apt-install: $*"
# The package lists are fetched only when the ones at hand cannot serve.
install "$@" 2>/dev/null || {
	$as_root apt-get -o DPkg::Lock::Timeout=120 -qq update
	install "$@"
}
