#!/bin/sh
# Makes the files of a machine with Debian: infra/verification/machine/base.sh <directory> <package>...
#
# As root on Debian, with the package mmdebstrap. Where Debian's packages come from is what apt on this machine is told; Node and npm are
# those that are installed here. A checkout belongs below /srv/machine.
set -eu
root=$1
shift
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
sources=
for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
  [ -z "$sources" ] && [ -s "$file" ] && sources=$file
done
own=systemd-sysv,dbus,libpam-systemd,iproute2,ca-certificates,curl,openssl,procps,libstdc++6,rsync
rm -rf --one-file-system "$root"
mkdir -p "$(dirname "$root")"
mmdebstrap --quiet --variant=important --include="$own,$(echo "$@" | tr ' ' ,)" \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
  "$suite" "$root" "$sources"

node=$(node -p process.execPath)
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
cp "$node" "$root/usr/bin/node"
mkdir -p "$root/usr/lib/node_modules" "$root/srv/machine"
cp -r "$npm" "$root/usr/lib/node_modules/npm"
for name in npm npx; do ln -s "../lib/node_modules/npm/bin/$name-cli.js" "$root/usr/bin/$name"; done

echo machine >"$root/etc/hostname"
printf '127.0.0.1 localhost machine service.example\n::1 localhost\n' >"$root/etc/hosts"
# What an operator answers to apt.
echo 'APT::Get::Assume-Yes "true";' >"$root/etc/apt/apt.conf.d/90machine"
