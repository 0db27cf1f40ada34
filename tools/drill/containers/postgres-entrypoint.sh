#!/bin/sh
# What docker-entrypoint.sh of the official image of PostgreSQL does with the variables and the folder that
# ops/compose.yml uses; the drill's image has it where the official one cannot be pulled.
set -eu
if [ "$(id -u)" = 0 ]; then
  chown -R postgres "$PGDATA" /run/postgresql
  chmod 700 "$PGDATA"
  exec gosu postgres sh "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s\n' "$POSTGRES_PASSWORD" > /tmp/password
  # shellcheck disable=SC2086 # several words
  initdb --username="$POSTGRES_USER" --pwfile=/tmp/password $POSTGRES_INITDB_ARGS
  rm /tmp/password
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >> "$PGDATA/postgresql.conf"
  pg_ctl -D "$PGDATA" -o "-c listen_addresses=''" -w start
  export POSTGRES_DB="${POSTGRES_DB:-$POSTGRES_USER}"
  for file in /docker-entrypoint-initdb.d/*.sh; do sh "$file"; done
  pg_ctl -D "$PGDATA" -m fast -w stop
fi
exec "$@"
