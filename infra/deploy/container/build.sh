#!/bin/sh
# Builds an image of this checkout, as root on Debian: infra/deploy/container/build.sh <service|node> [name]
#
# Needs the packages buildah and mmdebstrap, and `npm ci` to have run. Where Debian's packages come from is what apt on this machine is
# told (DEBIAN_SOURCES names another file); Node is the one that runs this.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=$1
context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT

default_sources() {
  for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
    [ -s "$file" ] && echo "$file" && return
  done
}
sources=${DEBIAN_SOURCES:-$(default_sources)}
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")

# What Node needs, unpacked and no more: neither a shell nor a package manager is in it.
service_base() {
  mmdebstrap --variant=extract --include=libc6,libgcc-s1,libstdc++6,tzdata "$@"
}
# What browsers need, as packages set themselves up.
node_base() {
  packages=$(node -e "import('$here/../../main/bootstrap/debian-packages.mjs').then(({ browserPackages }) => console.log(Object.keys(browserPackages).join()))")
  mmdebstrap --variant=essential --include="$packages,bubblewrap,ca-certificates,procps,tini" \
    --customize-hook='echo service:x:10001:10001::/nonexistent:/usr/sbin/nologin >>"$1/etc/passwd"' \
    --customize-hook='echo service:x:10001: >>"$1/etc/group"' \
    "$@"
}

mkdir -p "$context/$target" "$context/state"
case $target in
  service) make=service_base name=localhost/service ;;
  node) make=node_base name=localhost/service-node ;;
  *) echo "usage: $0 <service|node> [name]" >&2 && exit 1 ;;
esac
$make --quiet --format=tar \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/info/*' \
  "$suite" "$context/$target/base.tar" "$sources"
node "$here/tree.mjs" "$target" "$context/$target/tree"
cp -r "$here/etc" "$context/etc"
cp "$(node -p process.execPath)" "$context/node.bin"
chmod -R u=rwX,go=rX "$context/$target/tree" "$context/etc"
buildah build --format oci --layers=false --target "$target" --tag "${2:-$name}" --file "$here/Containerfile" "$context"
