#!/bin/sh
# Installs Debian packages without questions: scripts/apt-install.sh PACKAGE...
# It prints apt's output only if apt fails.
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

apt() {
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 "$@" 2>&1
}

echo "apt-install: $*"
# The package lists are fetched only if the present ones do not suffice.
said=$(apt install -y --no-install-recommends "$@") ||
	said=$(apt update && apt install -y --no-install-recommends "$@") || {
	echo "$said"
	exit 1
}
