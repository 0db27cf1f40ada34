#!/bin/sh
# Patroni runs this once, on the first primary, with a connection string. Passwords come from Patroni's environment.
set -eu
psql -v ON_ERROR_STOP=1 -v owner="$COFFER_OWNER_PASSWORD" -v server="$COFFER_SERVER_PASSWORD" "$1" <<'SQL'
create role coffer_app nologin;
create role coffer login createrole password :'owner' in role coffer_app;
create role coffer_server login password :'server' in role coffer_app;
-- Transactions that anybody left open.
grant pg_read_all_stats to coffer_server;
create database coffer owner coffer;
SQL
