#!/bin/sh
# `make demo`: the example notes into a throw-away home, then searches, answers, a refusal, and a check of an answer
# before and after a note is edited.
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
say 'kebab search "물가가 싼 여행지에서 데이터 유심" --k 1 --explain'
kebab search "물가가 싼 여행지에서 데이터 유심" --k 1 --explain
say 'kebab search "커피머신 석회 제거 구연산" --k 1 --json'
kebab search "커피머신 석회 제거 구연산" --k 1 --json | python3 -m json.tool --no-ensure-ascii
say 'kebab ask "압력밥솥 현미밥의 물 비율은?"'
kebab ask "압력밥솥 현미밥의 물 비율은?"
say 'kebab ask "How do I restore the nightly backup?" --explain'
kebab ask "How do I restore the nightly backup?" --explain
say 'kebab ask "당신의 회사 매출은?"'
kebab ask "당신의 회사 매출은?" || true
trace=$(kebab ask "압력밥솥 현미밥의 물 비율은?" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["retrieval"]["trace_id"])')
say "kebab verify $trace"
kebab verify "$trace"
say "(the note is edited: 1.2 cups become 1.3)"
python3 - "$home/notes/cooking/brown-rice-pressure-cooker.md" <<'EDIT'
import sys
from pathlib import Path
note = Path(sys.argv[1])
note.write_text(note.read_text("utf-8").replace("물 1.2컵", "물 1.3컵"), "utf-8")
EDIT
say "kebab verify $trace"
kebab verify "$trace" || true

cat <<'TXT'

Now your own notes:
  . .venv/bin/activate
  kebab init --workspace ~/path/to/your/notes
  kebab ingest
  kebab ask "what you want to know"
TXT
