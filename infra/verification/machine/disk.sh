#!/bin/sh
# Makes the disk, the kernel and the initial RAM disk of a virtual machine: infra/verification/machine/disk.sh <directory>
#
# Its files are those that base.sh has made in <directory>/files, with Debian's kernel and ssh; they are removed. The machine trusts the keys in /srv/machine/authorized_keys, which
# is on its second disk.
set -eu
directory=$1
root=$directory/files
cat >"$root/etc/fstab" <<END
/dev/vda / ext4 defaults 0 1
/dev/vdb /srv/machine ext4 ro 0 2
END
printf '[Match]\nName=en*\n[Network]\nAddress=10.0.2.15/24\nGateway=10.0.2.2\n' >"$root/etc/systemd/network/machine.network"
chroot "$root" systemctl --quiet enable systemd-networkd ssh
echo 'AuthorizedKeysFile /srv/machine/authorized_keys' >"$root/etc/ssh/sshd_config.d/machine.conf"
cp "$root"/boot/vmlinuz-* "$directory/kernel"
cp "$root"/boot/initrd.img-* "$directory/initrd"
truncate --size=16G "$directory/disk"
/sbin/mke2fs -q -F -t ext4 -d "$root" "$directory/disk"
rm -rf --one-file-system "$root"
