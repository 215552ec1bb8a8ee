#!/bin/sh
# Makes the disk, the kernel and the initial RAM disk of a machine with Debian: infra/verification/machine/base.sh <directory> <package>...
#
# As root on Debian, with the package mmdebstrap. Where Debian's packages come from is what apt on this machine is told; Node and npm are
# those that are installed here. The machine trusts the keys in /srv/machine/authorized_keys, which is on its second disk.
set -eu
directory=$1
shift
root=$directory/root
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
sources=
for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
  [ -z "$sources" ] && [ -s "$file" ] && sources=$file
done
own=linux-image-cloud-amd64,systemd-sysv,dbus,libpam-systemd,openssh-server,iproute2,ca-certificates,curl,openssl,procps,libstdc++6,rsync
rm -rf --one-file-system "$directory"
mkdir -p "$directory"
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
cat >"$root/etc/fstab" <<END
/dev/vda / ext4 defaults 0 1
/dev/vdb /srv/machine ext4 ro 0 2
END
printf '[Match]\nName=en*\n[Network]\nAddress=10.0.2.15/24\nGateway=10.0.2.2\n' >"$root/etc/systemd/network/machine.network"
chroot "$root" systemctl --quiet enable systemd-networkd ssh
echo 'AuthorizedKeysFile /srv/machine/authorized_keys' >"$root/etc/ssh/sshd_config.d/machine.conf"
# What an operator answers to apt.
echo 'APT::Get::Assume-Yes "true";' >"$root/etc/apt/apt.conf.d/90machine"

cp "$root"/boot/vmlinuz-* "$directory/kernel"
cp "$root"/boot/initrd.img-* "$directory/initrd"
truncate --size=16G "$directory/disk"
/sbin/mke2fs -q -F -t ext4 -d "$root" "$directory/disk"
rm -rf --one-file-system "$root"
