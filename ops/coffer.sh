#!/bin/sh
# The operator's command line on a machine that ops/install.sh --system has set up: "coffer config check". Reads the
# settings as root, and runs as the user of the server, of the signer for "coffer signer".
set -eu
etc=/etc/coffer
[ "$(id -u)" = 0 ] || exec sudo "$0" "$@"
read_settings() {
  [ -e "$1" ] || return 0
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in [A-Z]*=*) export "${line%%=*}=${line#*=}" ;; esac
  done < "$1"
}
user=coffer
# Of the signer's socket.
groups=coffer-signer
export COFFER_MODE=production COFFER_DATA=/var/lib/coffer
export COFFER_CHAINS=/var/lib/coffer/chains.json
case ${1:-} in
  signer)
    user=coffer-signer
    # The signer knows no more of the settings than its chains.
    chains=$(mktemp)
    trap 'rm -f "$chains"' EXIT
    cat "$COFFER_CHAINS" > "$chains"
    chown coffer-signer "$chains"
    COFFER_SIGNER_PASSPHRASE=$(cat $etc/signer-passphrase)
    export COFFER_SIGNER_PASSPHRASE COFFER_CHAINS="$chains" COFFER_DATA=/var/lib/coffer-signer
    ;;
  migrate) read_settings $etc/owner.env ;;
  *) read_settings $etc/coffer.env ;;
esac
cd /opt/coffer/current
setpriv --reuid="$user" --regid="$user" --groups="$groups" node_modules/node/bin/node apps/server/src/cli/main.ts "$@"
