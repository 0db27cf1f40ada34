#!/bin/sh
# Switches the service to an installed version whose migration needs every server to be stopped: checks it first, then
# stops all servers and the signer, migrates, and starts them with it.
#
#   ops/switch.sh /opt/coffer/releases/0.2.0
#
# Run it as root, with the server's settings and DATABASE_OWNER_URL in the environment (docs/operator.md). Repeat a run
# that failed or was interrupted.
set -eu
release=${1:?usage: ops/switch.sh <installed folder>}
current=${COFFER_CURRENT_LINK:-/opt/coffer/current}
unset COFFER_CURRENT_LINK
coffer() {
  (cd "$release" && node_modules/node/bin/node apps/server/src/cli/main.ts "$@")
}
coffer config check
# Kept beside the link until they run again: a run that was interrupted has left none running.
stopped=$current.stopped
[ -s "$stopped" ] || systemctl list-units --plain --no-legend --state=active 'coffer.service' 'coffer@*.service' 'coffer-signer.service' | sed 's/\.service.*//' > "$stopped"
[ -s "$stopped" ] || echo coffer > "$stopped"
units=$(cat "$stopped")
systemctl stop $units
coffer migrate || { echo "Nothing runs, and nothing is lost: mend this and repeat, or start the former version again: systemctl start" $units >&2; exit 1; }
ln -sfn "$release" "$current"
systemctl start $units
rm -f "$stopped"
