#!/bin/sh
# `make demo`: the example notes into a throw-away home, then a search in each language and the JSON of one hit.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT INT TERM
export HOME="$home" XDG_CONFIG_HOME="$home/config" XDG_DATA_HOME="$home/data" XDG_STATE_HOME="$home/state"
unset KEBAB_CONFIG || true
cp -r "$here/examples/kb" "$home/notes"

say() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }
[ -t 1 ] || say() { printf '\n$ %s\n' "$*"; }

say kebab init --workspace "~/notes"
kebab init --workspace "$home/notes"
say kebab ingest
kebab ingest
say 'kebab search "압력밥솥 현미밥 물 비율은?" --k 2'
kebab search "압력밥솥 현미밥 물 비율은?" --k 2
say 'kebab search "How do I restore the Postgres backup?" --k 2'
kebab search "How do I restore the Postgres backup?" --k 2
say 'kebab search "커피머신 석회 제거 구연산" --k 1 --json'
kebab search "커피머신 석회 제거 구연산" --k 1 --json | python3 -m json.tool --no-ensure-ascii

cat <<'TXT'

Now your own notes:
  . .venv/bin/activate
  kebab init --workspace ~/path/to/your/notes
  kebab ingest
  kebab search "what you look for"
TXT
