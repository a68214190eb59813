#!/bin/sh
# Install what tests ask: Mesa's software drivers, apitrace, a virtual X server, a browser for pages. Only as root on
# Debian or Ubuntu, and only what is missing; elsewhere the tests that need them say what to install.
set -eu
command -v apt-get >/dev/null 2>&1 || exit 0
[ "$(id -u)" = 0 ] || exit 0
packages="libegl1 libegl-mesa0 libgl1-mesa-dri libgles2 libgles1 xvfb xauth apitrace apitrace-tracers"
# Ubuntu's packages of these names are empty or missing.
if grep -qx 'ID=debian' /etc/os-release 2>/dev/null; then packages="$packages chromium chromium-driver"; fi
missing=""
for package in $packages; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "ok installed" || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
echo "installing$missing"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# shellcheck disable=SC2086
apt-get install -y -qq --no-install-recommends $missing >/dev/null
