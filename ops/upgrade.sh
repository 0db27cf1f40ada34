#!/bin/sh
# Switches to an installed version while the shop goes on: migrates beside the running servers, then restarts the signer
# and one server after the other, each only once the one before answers. The same with the former version goes back.
#
#   ops/upgrade.sh /opt/coffer/releases/0.2.0
#
# Run it as root. Touches nothing when the check fails or a step of the migration needs every server to be stopped:
# ops/switch.sh does that. What does not answer with the new version within COFFER_READY_SECONDS is started with the
# former one again, and the run ends with 1 and says what runs which. Repeat a run that failed or was interrupted. The
# settings are those of /etc/coffer/coffer.env, the database's owner that of /etc/coffer/owner.env, the servers the
# units coffer and coffer@<name> with /etc/coffer/<name>.env (docs/operator.md).
# --unchecked leaves out "config check", such as while a node does not answer.
set -eu
check=yes
if [ "${1:-}" = --unchecked ]; then
  check=no
  shift
fi
release=$(readlink -f "${1:?usage: ops/upgrade.sh [--unchecked] <installed folder>}")
etc=${COFFER_ETC:-/etc/coffer}
current=${COFFER_CURRENT_LINK:-/opt/coffer/current}
patience=${COFFER_READY_SECONDS:-90}
unset COFFER_ETC COFFER_CURRENT_LINK COFFER_READY_SECONDS
node=$release/node_modules/node/bin/node
[ -x "$node" ] || { echo "$release is no installed version: ops/install.sh makes one" >&2; exit 1; }

coffer() {
  (cd "$release" && "$node" --env-file-if-exists="$etc/coffer.env" --env-file-if-exists="$etc/owner.env" apps/server/src/cli/main.ts "$@")
}
# A setting of the first of these files that has it, or a default: <name> <default> <file>...
setting_of() {
  name=$1
  found=$2
  shift 2
  for file in "$@"; do
    value=$(sed -n "s/^$name=//p" "$file" 2>/dev/null | tail -n 1)
    [ -z "$value" ] || { found=$value; break; }
  done
  echo "$found"
}
# Where a unit answers: the socket of the signer, the address of a server.
place_of() {
  case $1 in
    coffer-signer) setting_of COFFER_SIGNER_SOCKET /run/coffer-signer/signer.sock "$etc/coffer.env" ;;
    *) echo "127.0.0.1:$(setting_of COFFER_PORT 8080 "$etc/${1#coffer@}.env" "$etc/coffer.env")" ;;
  esac
}
answers() {
  case $1 in
    coffer-signer) "$node" -e 'require("net").connect(process.argv[1]).on("connect", () => process.exit(0)).on("error", () => process.exit(1))' "$(place_of "$1")" ;;
    *) "$node" -e 'fetch(`http://${process.argv[1]}/readyz`, { signal: AbortSignal.timeout(2000) }).then(each => process.exit(each.ok ? 0 : 1), () => process.exit(1))' "$(place_of "$1")" ;;
  esac
}
# Restarts a unit by the link. Fails when it does not answer in time.
restart() {
  systemctl restart "$1" || return 1
  end=$(($(date +%s) + patience))
  until answers "$1"; do
    [ "$(date +%s)" -lt "$end" ] || return 1
    # The signer needs nothing that may come later: where it has ended it would end again, and payouts wait for it.
    [ "$1" != coffer-signer ] || systemctl is-active --quiet "$1" || return 1
    sleep 1
  done
}
# Points the link, which is always there, to a version.
link() {
  ln -sfn "$1" "$current.next"
  mv -fT "$current.next" "$current"
}
servers() {
  systemctl list-units --plain --no-legend --state=active 'coffer.service' 'coffer@*.service' | sed 's/\.service.*//'
}
# Starts a unit with the former version again, and says what runs which.
go_back() {
  link "$former"
  rm -f "$begun"
  echo "$1 does not answer with $release. Starting it with $former again." >&2
  if restart "$1"; then
    echo "$1 runs $former again." >&2
  else
    echo "$1 DOES NOT ANSWER with $former either: look at its log (journalctl -u $1)." >&2
  fi
  if [ -n "$renewed" ]; then
    echo "Still with $release, beside the former:$renewed. That is safe. Repeat this once mended; to go back with all, run it with $former." >&2
  fi
  exit 1
}

units=$(servers)
[ -n "$units" ] || { echo "No server runs: use ops/switch.sh" >&2; exit 1; }
[ "$(echo "$units" | wc -l)" -gt 1 ] || echo "One server runs: orders wait while it starts."
if systemctl is-active --quiet coffer-signer; then
  units="coffer-signer $units"
else
  echo "coffer-signer does not run: payouts wait for it."
fi
for unit in $units; do
  answers "$unit" || { echo "$unit does not answer at $(place_of "$unit"): mend that first" >&2; exit 1; }
done
[ "$check" = no ] || coffer config check
coffer migrate

# A run that was interrupted has left the version from before it beside the link.
begun=$current.former
former=$(readlink -f "$current")
if [ "$former" = "$release" ] && [ -L "$begun" ]; then former=$(readlink -f "$begun"); fi
ln -sfn "$former" "$begun"
link "$release"
renewed=
for unit in $units; do
  restart "$unit" || go_back "$unit"
  renewed="$renewed $unit"
  echo "$unit runs $release."
done
rm -f "$begun"
