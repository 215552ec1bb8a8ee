#!/bin/sh
# The operator's commands on a machine with service.service, as its user and with its configuration: service-command.sh doctor
# It is started as root, who alone may read the secrets; SERVICE_ETC and SERVICE_ROOT name other places than the unit's.
set -eu
etc=${SERVICE_ETC:-/etc/service}
root=${SERVICE_ROOT:-/opt/service}
while IFS= read -r line || [ -n "$line" ]; do
  case $line in
    [A-Z]*=*) export "$line" ;;
  esac
done <"$etc/service.env"
export DATA_DIR="${DATA_DIR:-/var/lib/service}"
for file in "$etc"/secrets/*; do
  name=$(basename "$file")
  case $name in
    # What an editor left, or make-secrets.sh when it was interrupted.
    *[!A-Z0-9_]*) ;;
    *) export "$name=$(cat "$file")" ;;
  esac
done
# What the unit was started with, which its user cannot see: it has a user namespace of its own (PrivateUsers=).
pid=$(systemctl show --property=MainPID --value service.service 2>/dev/null || :)
[ ! -r "/proc/$pid/environ" ] || export SUPERVISOR_ENVIRON="$(base64 -w 0 "/proc/$pid/environ")"
cd "$root"
exec setpriv --reuid=service --regid=service --init-groups --no-new-privs \
  node infra/main/run.mjs command "$@"
