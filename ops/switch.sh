#!/bin/sh
# Switches the service to an installed version: checks it first, then stops the old one, migrates, and starts the new
# one.
#
#   ops/switch.sh /opt/coffer/releases/0.2.0
#
# Run it as root, with the server's settings and DATABASE_OWNER_URL in the environment (docs/operator.md).
set -eu
release=${1:?usage: ops/switch.sh <installed folder>}
current=${COFFER_CURRENT_LINK:-/opt/coffer/current}
unset COFFER_CURRENT_LINK
coffer() {
  (cd "$release" && node_modules/node/bin/node apps/server/src/cli/main.ts "$@")
}
coffer config check
systemctl stop coffer
coffer migrate
ln -sfn "$release" "$current"
systemctl start coffer
