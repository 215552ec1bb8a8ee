#!/bin/sh
# The operator's commands on a machine with service.service, as its user and with its configuration: service-command.sh doctor
# It is started as root, who alone may read the secrets; SERVICE_ETC and SERVICE_ROOT name other places than the unit's.
set -eu
etc=${SERVICE_ETC:-/etc/service}
root=${SERVICE_ROOT:-/opt/service}
while IFS= read -r line; do
  case $line in
    [A-Z]*=*) export "$line" ;;
  esac
done <"$etc/service.env"
export DATA_DIR="${DATA_DIR:-/var/lib/service}"
for file in "$etc"/secrets/*; do
  export "$(basename "$file")=$(cat "$file")"
done
cd "$root"
exec setpriv --reuid=service --regid=service --init-groups --no-new-privs \
  node infra/main/run.mjs command "$@"
