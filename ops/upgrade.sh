#!/bin/sh
# Switches to an installed version while the shop goes on: migrates beside the running servers, then restarts one server
# after the other, each only once the one before answers. The same with the former version goes back.
#
#   ops/upgrade.sh /opt/coffer/releases/0.2.0
#
# Run it as root. Touches nothing when the check fails or a step of the migration needs every server to be stopped:
# ops/switch.sh does that. The settings are those of /etc/coffer/coffer.env, the database's owner that of
# /etc/coffer/owner.env, the servers the units coffer and coffer@<name> with /etc/coffer/<name>.env (docs/operator.md).
# --unchecked leaves out "config check", such as while a node does not answer.
set -eu
check=yes
if [ "${1:-}" = --unchecked ]; then
  check=no
  shift
fi
release=${1:?usage: ops/upgrade.sh [--unchecked] <installed folder>}
etc=${COFFER_ETC:-/etc/coffer}
current=${COFFER_CURRENT_LINK:-/opt/coffer/current}
patience=${COFFER_READY_SECONDS:-90}
unset COFFER_ETC COFFER_CURRENT_LINK COFFER_READY_SECONDS
node=$release/node_modules/node/bin/node
[ -x "$node" ] || { echo "$release is no installed version: ops/install.sh makes one" >&2; exit 1; }
former=$(readlink -f "$current")

coffer() {
  (cd "$release" && "$node" --env-file-if-exists="$etc/coffer.env" --env-file-if-exists="$etc/owner.env" apps/server/src/cli/main.ts "$@")
}
# The port of a unit: that of its own settings, of all, or 8080.
port_of() {
  own=$etc/${1#coffer@}.env
  for file in "$own" "$etc/coffer.env"; do
    port=$(sed -n 's/^COFFER_PORT=//p' "$file" 2>/dev/null | tail -n 1)
    [ -z "$port" ] || { echo "$port"; return; }
  done
  echo 8080
}
ready() {
  "$node" -e 'fetch(`http://127.0.0.1:${process.argv[1]}/readyz`, { signal: AbortSignal.timeout(2000) }).then(each => process.exit(each.ok ? 0 : 1), () => process.exit(1))' "$1"
}
await_ready() {
  left=$patience
  until ready "$1"; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || return 1
    sleep 1
  done
}
active() {
  systemctl list-units --plain --no-legend --state=active 'coffer.service' 'coffer@*.service' | sed 's/\.service.*//'
}

units=$(active)
[ -n "$units" ] || { echo "No server runs: use ops/switch.sh" >&2; exit 1; }
for unit in $units; do
  ready "$(port_of "$unit")" || { echo "$unit does not answer at port $(port_of "$unit"): mend that first" >&2; exit 1; }
done
[ "$(echo "$units" | wc -l)" -gt 1 ] || echo "One server runs: orders wait while it starts."
[ "$check" = no ] || coffer config check
coffer migrate
ln -sfn "$release" "$current"
if systemctl is-active --quiet coffer-signer; then
  systemctl restart coffer-signer
  echo "coffer-signer runs $release."
fi
for unit in $units; do
  systemctl restart "$unit"
  if await_ready "$(port_of "$unit")"; then
    echo "$unit runs $release."
  else
    ln -sfn "$former" "$current"
    systemctl restart "$unit"
    echo "$unit did not answer within $patience s with $release, and was started with $former again; the others were not touched after it." >&2
    exit 1
  fi
done
