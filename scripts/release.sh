#!/usr/bin/env bash
# Builds a release in dist/ or the folder DIST: an archive with a binary for each system, Debian packages and container
# images of those for Linux, and checksums.
#
# scripts/release.sh VERSION [SYSTEM/ARCHITECTURE...]     such as 1.0 linux/amd64; all systems if none is named
#
# The binaries are static and know their version. The same source gives the same bytes on any machine.
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:?usage: $0 VERSION [SYSTEM/ARCHITECTURE...]}
shift
if ! [[ $version =~ ^[0-9]+\.[0-9]+(\.[0-9]+)?(-[a-z0-9.]+)?$ ]]; then
	echo "release: $version is no version such as 1.0 or 1.0-rc1" >&2
	exit 2
fi
systems=("$@")
if [ ${#systems[@]} = 0 ]; then
	systems=(linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64)
fi

command -v dpkg-deb >/dev/null || [[ " ${systems[*]}" != *" linux/"* ]] || {
	echo "release: dpkg-deb is missing, which makes the packages for Debian" >&2
	exit 1
}

# All files get the time of the last commit.
date=$(git log -1 --format=%ct 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH=$date

dist=${DIST:-dist}
rm -rf "$dist"
mkdir -p "$dist"

# pack puts a folder into an archive whose bytes depend on its content alone.
pack() {
	tar -C "$dist" --sort=name --mtime="@$date" --owner=0 --group=0 --numeric-owner -cf - "$1" | gzip -9n >"$dist/$1.tar.gz"
	rm -r "$dist/$1"
}

# debian makes a package of a Linux binary, whose service keeps its data in /var/lib/lectern.
debian() {
	local binary=$1 arch=$2 root=$dist/deb
	install -Dm755 "$binary" "$root"/usr/bin/lectern
	install -Dm644 scripts/deb/lectern.service "$root"/lib/systemd/system/lectern.service
	install -Dm640 scripts/deb/lectern.env "$root"/etc/lectern/lectern.env
	install -Dm644 LICENSE "$root"/usr/share/doc/lectern/copyright
	install -Dm644 -t "$root"/usr/share/doc/lectern/monitoring docs/monitoring/*
	install -d "$root"/DEBIAN
	install -m755 scripts/deb/postinst scripts/deb/prerm scripts/deb/postrm "$root"/DEBIAN/
	echo /etc/lectern/lectern.env >"$root"/DEBIAN/conffiles
	cat >"$root"/DEBIAN/control <<-END
		Package: lectern
		Version: ${version/-/\~}
		Architecture: $arch
		Maintainer: The maintainers of Lectern <maintainers@lectern.invalid>
		Section: web
		Priority: optional
		Recommends: ca-certificates
		Suggests: postgresql
		Installed-Size: $(du -sk "$root"/usr | cut -f1)
		Description: programme service of a conference
		 Call for papers, reviews, decisions, agenda, speakers, a public programme, a
		 REST API, webhooks and tools for agents, in one binary.
	END
	dpkg-deb --root-owner-group --build -Zxz "$root" "$dist/lectern_${version}_$arch.deb" >/dev/null
	rm -r "$root"
}

for system in "${systems[@]}"; do
	os=${system%/*} arch=${system#*/}
	name=lectern-$version-$os-$arch
	binary=$dist/$name/lectern$([ "$os" = windows ] && echo .exe || true)
	echo "$name"
	GOFLAGS= CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath -ldflags "-s -w -X main.version=$version" -o "$binary" .
	cp -r LICENSE README.md CHANGELOG.md docs/monitoring "$dist/$name"
	if [ "$os" = linux ]; then
		debian "$binary" "$arch"
	fi
	if [ "$os" = linux ]; then
		GOFLAGS= go run ./scripts/image "$binary" "$arch" "$version" "$date" "$dist/$name-image.tar"
	fi
	pack "$name"
done
(cd "$dist" && sha256sum -- *.* >SHA256SUMS)
ls -l "$dist"
