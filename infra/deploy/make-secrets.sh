#!/bin/sh
# Makes the secrets that an installation needs and that are not there yet, each a file by the name of its variable.
# usage: make-secrets.sh [directory]        /etc/service/secrets by default
set -eu
umask 077
directory=${1:-/etc/service/secrets}
mkdir -p "$directory"
for name in MASTER_KEY KEY_PEPPER CURSOR_KEY NODE_JOIN_TOKEN METRICS_TOKEN OPERATOR_TOKEN; do
  [ -e "$directory/$name" ] && continue
  head -c 32 /dev/urandom | base64 -w 0 >"$directory/$name.new"
  mv "$directory/$name.new" "$directory/$name"
  echo "made $directory/$name"
done
