#!/bin/sh
# Copies what an installation with embedded stores keeps, while service.service is stopped. The copy before is replaced once the new one
# is whole. service-backup.service stops and starts; docs/deployment.md, Backup and restore, has the rest.
# usage: backup.sh, as root; SERVICE_ETC, SERVICE_STATE and SERVICE_BACKUPS name other places.
set -eu
umask 077
etc=${SERVICE_ETC:-/etc/service}
state=${SERVICE_STATE:-/var/lib/service}
to=${SERVICE_BACKUPS:-/var/backups/service}
mkdir -p "$to/new"
# There are none before the first profile is saved, nor where BLOB_URL names an object store.
blobs=$([ ! -e "$state/blobs" ] || echo blobs)
tar -C "$state" -czf "$to/new/record.tgz" event-store $blobs
tar -C "$state" -czf "$to/new/vault.tgz" postgres secrets.json
# Where browsers are on this machine too.
node=$([ ! -e "$etc/node.env" ] || echo node.env)
tar -C "$etc" -czf "$to/new/configuration.tgz" secrets service.env $node
mv "$to/new"/*.tgz "$to"
rmdir "$to/new"
