#!/bin/bash
# Starts the systemd of a machine as the first process of namespaces of its own, in a group below this process's; it has a kernel, a clock
# and devices in common with this machine, and no network: infra/verification/machine/boot.sh <files> <changes> <shared>
#
# What the machine writes is in the directory of changes; <shared> is its /srv/machine. Nothing covers a part of its /proc, as in most
# containers, where browsers cannot have namespaces.
set -euo pipefail
groups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
group=$groups/machine-$$
mkdir -p "$group" "$2"/{upper,work,root}
echo $$ >"$group/cgroup.procs"
exec unshare --pid --mount --uts --ipc --net --cgroup --fork --kill-child bash -euo pipefail -c '
  files=$1 changes=$2 shared=$3 root=$2/root
  mount --make-rprivate /
  mount -t overlay -o "lowerdir=$files,upperdir=$changes/upper,workdir=$changes/work" overlay "$root"
  mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
  mount -t sysfs -o nosuid,nodev,noexec,ro sysfs "$root/sys"
  mount -t cgroup2 -o nosuid,nodev,noexec cgroup2 "$root/sys/fs/cgroup"
  mount -t tmpfs -o nosuid,nodev,mode=755 tmpfs "$root/run"
  mount -t tmpfs -o nosuid,mode=755 tmpfs "$root/dev"
  for device in null zero full random urandom tty; do cp -a "/dev/$device" "$root/dev"; done
  mkdir "$root/dev/pts" "$root/dev/shm"
  mount -t devpts -o nosuid,noexec,newinstance,ptmxmode=666,mode=620,gid=5 devpts "$root/dev/pts"
  mount -t tmpfs -o nosuid,nodev,mode=1777 tmpfs "$root/dev/shm"
  ln -s pts/ptmx "$root/dev/ptmx"
  ln -s /proc/self/fd "$root/dev/fd"
  mount --bind "$shared" "$root/srv/machine"
  hostname machine
  cd "$root" && mkdir -p old && pivot_root . old && umount -l /old && rmdir /old
  # As systemd does on a machine: what it mounts for a unit, such as its credentials, is seen in the namespaces of others.
  mount --make-rshared /
  exec env -i container=other PATH=/usr/sbin:/usr/bin /lib/systemd/systemd --show-status=no
' boot "$@"
