#!/bin/sh
# Makes this machine (Debian 12 or later with systemd) run Coffer, from this checkout, as "ops/install.sh --system"
# calls it:
#
#   ops/install.sh --system [--dry-run] [--second] [--url https://pay.example.com] [--smtp smtps://...] [--release <folder>]
#
# --dry-run prints what it would do. --second adds a second server, so that upgrades refuse nothing. --release names an
# installed version, such as one that was copied here; otherwise this checkout is installed, for which Node 20 with npm
# is needed. Run it again at any time: what is there stays, and a second run changes nothing. Keys are made by a person:
# it says how.
set -eu
umask 077
dry=no second=no url='' smtp='' release=''
source=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
while [ $# -gt 0 ]; do
  case $1 in
    --dry-run) dry=yes ;;
    --second) second=yes ;;
    --url) url=${2:?--url needs the URL of merchants and payers}; shift ;;
    --smtp) smtp=${2:?--smtp needs the URL of the mail server}; shift ;;
    --release) release=${2:?--release needs a folder}; shift ;;
    *) echo "unknown option $1; see $0" >&2; exit 1 ;;
  esac
  shift
done
etc=${COFFER_ETC:-/etc/coffer}
opt=/opt/coffer
current=$opt/current
changes=0
restart=no
todo=''

# step <what> <command...>: does it, or says that it would.
step() {
  what=$1
  shift
  changes=$((changes + 1))
  if [ "$dry" = yes ]; then
    echo "would: $what"
  else
    echo "$what"
    "$@"
  fi
}
later() { todo="$todo
  - $1"; }
secret() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
setting() { sed -n "s/^$2=//p" "$etc/$1" 2>/dev/null | tail -n 1; }
database() { (cd / && setpriv --reuid=postgres --regid=postgres --init-groups psql -qAtX -v ON_ERROR_STOP=1 "$@"); }
answer() { database -d postgres -c "$1" 2>/dev/null || true; }

require_programs() {
  missing=''
  [ "$(id -u)" = 0 ] || { echo "Run it as root." >&2; exit 1; }
  command -v systemctl > /dev/null || missing="$missing systemd"
  command -v setpriv > /dev/null || missing="$missing util-linux"
  command -v psql > /dev/null && id postgres > /dev/null 2>&1 || missing="$missing postgresql"
  if [ -n "$missing" ]; then
    echo "Missing:$missing. Run: apt-get install --no-install-recommends$missing" >&2
    exit 1
  fi
  if [ "$(answer 'select 1')" != 1 ]; then
    echo "PostgreSQL does not answer. Run: systemctl enable --now postgresql" >&2
    exit 1
  fi
}

make_users() {
  for user in coffer coffer-signer; do
    id "$user" > /dev/null 2>&1 || step "makes the user $user" useradd --system --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin "$user"
  done
}

make_folder() { # <folder> <mode> <owner>
  [ "$(stat -c '%a %U' "$1" 2>/dev/null || true)" = "$2 $3" ] ||
    step "makes the folder $1 ($2, $3)" install -d -m "$2" -o "$3" -g "$3" "$1"
}

make_folders() {
  make_folder "$opt" 755 root
  make_folder "$opt/releases" 755 root
  make_folder "$etc" 700 root
  make_folder /var/lib/coffer 700 coffer
  make_folder /var/lib/coffer-signer 700 coffer-signer
}

install_release() {
  if [ -z "$release" ] && [ -L "$current" ]; then return; fi
  if [ -z "$release" ]; then
    release=$opt/releases/$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$source/package.json")
    if [ ! -d "$release" ]; then
      major=$(node --version 2>/dev/null | sed 's/^v\([0-9]*\).*/\1/' || true)
      if [ "${major:-0}" -lt 20 ] || ! command -v npm > /dev/null; then
        echo "Missing: Node 20 or later with npm, or an installed version: --release <folder> (docs/operator.md)." >&2
        exit 1
      fi
      step "installs this checkout in $release" sh "$source/ops/install.sh" "$release"
    fi
  fi
  if [ "$(readlink "$current" 2>/dev/null || true)" != "$release" ] && [ ! -L "$current" ]; then
    step "links $current to $release" ln -s "$release" "$current"
  fi
}

add_setting() { # <file> <name> <value>
  [ -n "$(setting "$1" "$2")" ] || step "writes $2 to $etc/$1" write_setting "$@"
}
write_setting() { printf '%s=%s\n' "$2" "$3" >> "$etc/$1"; }

# Roles that are no superuser, each with a password of its own, which stands in the settings alone.
make_database() {
  [ "$(answer "select 1 from pg_roles where rolname = 'coffer_app'")" = 1 ] ||
    step "makes the role coffer_app" database -d postgres -c 'create role coffer_app nologin'
  make_login coffer_owner owner.env DATABASE_OWNER_URL
  make_login coffer_server coffer.env DATABASE_URL
  [ "$(answer "select 1 from pg_database where datname = 'coffer'")" = 1 ] ||
    step "makes the database coffer, sorted by bytes" database -d postgres -c \
      "create database coffer owner coffer_owner encoding 'UTF8' lc_collate 'C' lc_ctype 'C.UTF-8' template template0"
}
make_login() { # <role> <file> <setting>
  [ -z "$(setting "$2" "$3")" ] || return 0
  step "makes the role $1, with a new password" write_login "$@"
}
write_login() {
  password=$(secret)
  verb=create
  [ "$(answer "select 1 from pg_roles where rolname = '$1'")" != 1 ] || verb=alter
  # Not in arguments, which others on this machine can read.
  printf "set client_min_messages = warning; %s role %s login password '%s';\ngrant coffer_app to %s;\n" "$verb" "$1" "$password" "$1" | database -d postgres
  [ "$verb" = create ] || restart=yes
  write_setting "$2" "$3" "postgres://$1:$password@127.0.0.1:$(answer 'show port')/coffer"
}

make_settings() {
  add_setting coffer.env COFFER_SECRET "$(secret)"
  add_setting coffer.env COFFER_SIGNER_SOCKET /run/coffer-signer/signer.sock
  add_setting coffer.env COFFER_CHAINS /var/lib/coffer/chains.json
  add_setting coffer.env COFFER_TRUST_PROXY 1
  [ -z "$url" ] || add_setting coffer.env COFFER_PUBLIC_URL "$url"
  [ -z "$smtp" ] || add_setting coffer.env COFFER_SMTP_URL "$smtp"
  [ "$second" = no ] || add_setting second.env COFFER_PORT 8081
  [ -s "$etc/signer-passphrase" ] || step "writes $etc/signer-passphrase" write_passphrase
  for name in COFFER_PUBLIC_URL COFFER_SMTP_URL; do
    [ "$dry" = yes ] || [ -n "$(setting coffer.env $name)" ] || later "Write $name=... to $etc/coffer.env."
  done
  [ -e /var/lib/coffer/chains.json ] || later "List your nodes in /var/lib/coffer/chains.json (docs/operator.md, The chains file)."
}
write_passphrase() { secret > "$etc/signer-passphrase"; }

same() { cmp -s "$1" "$2"; }
install_files() {
  from=$source
  units='coffer.service coffer-signer.service'
  [ "$second" = no ] || units="$units coffer@.service"
  reload=no
  for unit in $units; do
    same "$from/ops/systemd/$unit" "/etc/systemd/system/$unit" && continue
    step "writes /etc/systemd/system/$unit" install -m 644 "$from/ops/systemd/$unit" "/etc/systemd/system/$unit"
    reload=yes
  done
  same "$from/ops/coffer.sh" /usr/local/bin/coffer || step "writes /usr/local/bin/coffer" install -m 755 "$from/ops/coffer.sh" /usr/local/bin/coffer
  [ "$reload" = no ] || [ "$dry" = yes ] || systemctl daemon-reload
}

# Says itself whether there was anything to do.
migrate_database() {
  [ "$dry" = no ] || return 0
  said=$(coffer migrate)
  case $said in *Ran*)
    changes=$((changes + 1))
    echo "migrated the database" ;;
  esac
}

start_services() {
  migrate_database
  if [ ! -e /var/lib/coffer-signer/signer/seed.json ]; then
    later "Make the keys: \"coffer signer init\" shows the recovery phrase once; write it down. Write the COFFER_XPUB_... that it prints to $etc/coffer.env."
  elif [ -z "$(setting coffer.env COFFER_XPUB_EVM)" ]; then
    later "Write the COFFER_XPUB_... that \"coffer signer init\" has printed to $etc/coffer.env."
  fi
  if [ -n "$todo" ]; then return; fi
  for unit in coffer-signer coffer $([ "$second" = no ] || echo coffer@second); do
    [ "$restart" = no ] || systemctl try-restart "$unit"
    systemctl is-enabled --quiet "$unit" 2>/dev/null && systemctl is-active --quiet "$unit" && continue
    step "starts $unit, also at every start of the machine" systemctl enable --now --quiet "$unit"
  done
  [ "$dry" = yes ] || await_servers
}
await_servers() {
  for port in 8080 $([ "$second" = no ] || echo 8081); do
    left=60
    until "$current/node_modules/node/bin/node" -e 'fetch(`http://127.0.0.1:${process.argv[1]}/readyz`).then(each => process.exit(each.ok ? 0 : 1), () => process.exit(1))' "$port"; do
      left=$((left - 1))
      [ "$left" -gt 0 ] || { echo "The server at port $port does not answer: journalctl -u coffer" >&2; exit 1; }
      sleep 1
    done
    echo "The server at port $port answers."
  done
}

require_programs
make_users
make_folders
install_release
make_database
make_settings
install_files
start_services
if [ "$changes" = 0 ]; then echo "Nothing was changed."; fi
if [ -n "$todo" ]; then
  echo "Left to you, then run this again:$todo"
else
  echo "Next: a reverse proxy that terminates TLS (docs/operator.md, Reverse proxy)."
fi
