#!/bin/sh
# Takes Prometheus and promtool out of Debian's package, without installing it: nothing of it runs by itself.
set -eu
get() { apt-get -qq download prometheus 2>/dev/null; }
get || { apt-get -qq update && get; }
dpkg -x prometheus_*.deb .
rm prometheus_*.deb
