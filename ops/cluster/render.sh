#!/bin/sh
# Fills a file in: each @NAME@ becomes the environment variable of that name, which must be set.
#
#   set -a; . ./db1.env; ops/cluster/render.sh ops/cluster/patroni.yml > /etc/patroni/config.yml
set -eu
awk '
  {
    while (match($0, /@[A-Z][A-Z0-9_]*@/)) {
      name = substr($0, RSTART + 1, RLENGTH - 2)
      if (!(name in ENVIRON)) {
        print FILENAME ":" FNR ": set " name | "cat >&2"
        missing = 1
        break
      }
      $0 = substr($0, 1, RSTART - 1) ENVIRON[name] substr($0, RSTART + RLENGTH)
    }
    print
  }
  END { exit missing }
' "${1:?usage: ops/cluster/render.sh <file>}"
