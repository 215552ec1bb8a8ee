#!/bin/sh
# Makes what compose.yaml takes from ./secrets and ./tls, and is not there yet. Keep both: docs/deployment.md, Backup.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
umask 077
mkdir -p "$here/secrets" "$here/tls"
"$here/../make-secrets.sh" "$here/secrets"

put() {
  [ -e "$here/secrets/$1" ] && return
  printf '%s' "$2" >"$here/secrets/$1.new"
  mv "$here/secrets/$1.new" "$here/secrets/$1"
}
password() {
  head -c 24 /dev/urandom | base64 -w 0 | tr '+/' '-_'
}
put POSTGRES_PASSWORD "$(password)"
put REDIS_PASSWORD "$(password)"
put POSTGRES_URL "postgres://service:$(cat "$here/secrets/POSTGRES_PASSWORD")@postgres:5432/service"
put QUEUE_URL "redis://:$(cat "$here/secrets/REDIS_PASSWORD")@redis:6379"
put REDIS_CONF "requirepass $(cat "$here/secrets/REDIS_PASSWORD")
appendonly yes
maxmemory-policy noeviction
"
put OBJECT_STORE_KEY "$(password)"
put AWS_SHARED_CREDENTIALS "[default]
aws_access_key_id = service
aws_secret_access_key = $(cat "$here/secrets/OBJECT_STORE_KEY")
"
put EVENTSTORE_URL 'esdb://event-store:2113?tls=false'

# For a trial; put the certificate of your name in its place.
if [ ! -e "$here/tls/tls.crt" ]; then
  command -v openssl >/dev/null || { echo 'prepare.sh: install openssl, or put tls.crt and tls.key into tls/' >&2; exit 1; }
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 -subj /CN=localhost \
    -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' -keyout "$here/tls/tls.key" -out "$here/tls/tls.crt" 2>/dev/null
fi

# Nobody but their owner gets into the directories; in a container each user is to read what is handed to it.
chmod 444 "$here"/secrets/* "$here"/tls/*

grep -qs '^BASE_URL=' "$here/.env" || echo 'prepare.sh: put BASE_URL=<the address that customers use> into .env; without it, it is https://localhost, for a trial' >&2
! grep -qs '^BASE_URL=.*/$' "$here/.env" || echo 'prepare.sh: BASE_URL in .env must not end in a slash' >&2
