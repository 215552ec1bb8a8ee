#!/bin/sh
# Copies what an installation with embedded stores keeps, while service.service is stopped. The copy before is replaced once the new one
# is whole and on disk. service-backup.service stops and starts; docs/deployment.md, Backup and restore, has the rest.
# usage: backup.sh, as root; SERVICE_ETC, SERVICE_UNITS, SERVICE_STATE and SERVICE_BACKUPS name other places.
set -eu
umask 077
etc=${SERVICE_ETC:-/etc/service}
units=${SERVICE_UNITS:-/etc/systemd/system}
state=${SERVICE_STATE:-/var/lib/service}
to=${SERVICE_BACKUPS:-/var/backups/service}
# What is left of a copy that failed could take the room that the service needs.
trap 'rm -rf "$to/new"' EXIT
trap 'exit 1' HUP INT TERM
rm -rf "$to/new"
mkdir -p "$to/new"
# A start where nothing is left, as on a new disk, makes another installation, with other passwords: the copy before is then all that there
# is of the first. The password of Postgres stays the same for as long as its files; that of the event store may be changed.
made() { grep -o '"POSTGRES_PASSWORD": "[^"]*"' || :; }
# A copy that is damaged names none, and is replaced.
kept=$([ ! -e "$to/vault.tgz" ] || tar -xzOf - --occurrence=1 secrets.json <"$to/vault.tgz" 2>/dev/null | made)
if [ -n "$kept" ] && [ "$kept" != "$(made <"$state/secrets.json")" ]; then
  echo "backup.sh: the copy in $to is of another installation: restore it, or move it away" >&2
  exit 1
fi
# Of the running Postgres: another one, if it was started meanwhile.
running() { cat "$state/postgres/postmaster.pid" 2>/dev/null || :; }
before=$(running)
# There are none before the first profile is saved, nor where BLOB_URL names an object store.
blobs=$([ ! -e "$state/blobs" ] || echo blobs)
tar -C "$state" -czf "$to/new/record.tgz" event-store $blobs
# secrets.json first: the next run reads it.
tar -C "$state" -czf "$to/new/vault.tgz" secrets.json postgres
# Where browsers are on this machine too.
node=$([ ! -e "$etc/node.env" ] || echo node.env)
# What `systemctl edit` wrote: which secrets the service gets, and where copies are sent.
dropins=$(cd "$units" && ls -d service.service.d service-node.service.d service-backup.service.d service-backup.timer.d 2>/dev/null || :)
tar -C "$etc" -czf "$to/new/configuration.tgz" secrets service.env $node ${dropins:+-C "$units" $dropins}
if [ "$(running)" != "$before" ]; then
  echo 'backup.sh: service.service was started meanwhile, and the copy is not of one moment: it was dropped' >&2
  exit 1
fi
sync "$to/new"/*.tgz "$to/new"
mv "$to/new"/*.tgz "$to"
sync "$to"
