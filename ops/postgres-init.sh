#!/bin/sh
# Creates the owner, the server's user and the database: plain roles, none of which is a superuser. The image of
# PostgreSQL runs this once.
set -eu
psql -v ON_ERROR_STOP=1 -v owner="$OWNER_PASSWORD" -v server="$SERVER_PASSWORD" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
create role coffer_app nologin;
create role coffer_owner login password :'owner' in role coffer_app;
create role coffer_server login password :'server' in role coffer_app;
-- Transactions that anybody left open.
grant pg_read_all_stats to coffer_server;
create database coffer owner coffer_owner;
SQL
