#!/bin/sh
# Creates the server's role and its user in a new database. The image of PostgreSQL runs this once.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$SERVER_PASSWORD" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
create role coffer_app nologin;
create role coffer_server login password :'password' in role coffer_app;
SQL
