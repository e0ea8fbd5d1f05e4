"""What the terminal app says of its own, in English and Korean. One row per phrase; knows no widget."""

from collections.abc import Mapping
from typing import TypeAlias

Words: TypeAlias = Mapping[str, str]

_ROWS: dict[str, tuple[str, str]] = {
    "language": ("en", "ko"),
    # panes and lines
    "search": ("Search", "검색"),
    "ask": ("Ask", "질문"),
    "library": ("Library", "문서"),
    "health": ("Doctor", "점검"),
    "filter": ("Filter", "필터"),
    "folder": ("Folder", "폴더"),
    "preview": ("Preview", "미리보기"),
    "search_for": ("(type to search)", "(입력하면 바로 검색)"),
    "ask_for": ("(a question, then Enter)", "(질문을 쓰고 Enter)"),
    "filter_for": ("(tag:x lang:ko media:code path:docs/* repo:x symbol:x)",) * 2,
    "folder_for": ("(empty: the folders of the config)", "(비워 두면 설정에 있는 폴더)"),
    # modes
    "hybrid": ("words and meaning", "단어+의미"),
    "lexical": ("words", "단어"),
    "vector": ("meaning", "의미"),
    # state of files
    "changed": ("changed since indexed", "색인 후 변경됨"),
    "missing": ("missing since indexed", "파일 없음"),
    "unknown": ("not known to be unchanged", "변경 여부 알 수 없음"),
    "stale": ("indexed long ago", "오래전 색인"),
    # verdicts on statements
    "quoted": ("supported: quoted", "근거 있음: 원문"),
    "supported": ("supported", "근거 있음"),
    "weak": ("weak", "근거 약함"),
    "unsupported": ("unsupported", "근거 없음"),
    "uncited": ("unsupported: cites nothing", "근거 없음: 인용 없음"),
    # verdicts of a check
    "verify_intact": ("intact", "그대로"),
    "verify_moved": ("moved", "위치 이동"),
    "verify_changed": ("changed", "변경됨"),
    "verify_missing": ("missing", "없어짐"),
    "verified": ("{intact} of {total} citations are intact", "인용 {total}개 중 {intact}개 그대로"),
    # answers
    "looking": ("looking for passages…", "근거를 찾는 중…"),
    "writing": ("{count} passages found; writing…", "근거 {count}개; 답변 작성 중…"),
    "citations": ("Citations", "인용"),
    "grounded": ("grounded in {count} passages", "근거 {count}개로 답함"),
    "refused": ("no answer: {reason}", "답하지 않음: {reason}"),
    "canceled": ("stopped", "중단됨"),
    "no_session": ("no session", "세션 없음"),
    "new_session": ("new session", "새 세션"),
    "session": ("session {name}", "세션 {name}"),
    "sessions": ("Sessions", "세션"),
    "history": ("Earlier answers", "이전 답변"),
    "nothing_yet": ("nothing yet", "아직 없음"),
    "no_answer_yet": ("there is no answer to check yet", "확인할 답변이 아직 없음"),
    # search and library
    "no_hits": ("no hits; try fewer or other words", "결과 없음; 단어를 줄이거나 바꿔 보세요"),
    "hits": ("{count} hits · {mode}", "결과 {count}개 · {mode}"),
    "documents": ("{shown} of {total} documents", "문서 {total}개 중 {shown}개"),
    "states": ("{changed} changed, {missing} missing, {stale} old", "변경 {changed}, 없음 {missing}, 오래됨 {stale}"),
    "only_odd": ("only those that need attention", "확인이 필요한 것만"),
    "all_well": ("all is well", "모두 정상"),
    "failed": ("{count} checks failed", "점검 {count}개 실패"),
    "checking": ("checking…", "점검 중…"),
    "mend": ("to mend it: {hint}", "해결: {hint}"),
    # status
    "status": ("{documents} docs · {chunks} chunks", "문서 {documents} · 조각 {chunks}"),
    "status_stale": ("{stale} old", "오래됨 {stale}"),
    "words_only": ("words only", "단어 검색만"),
    "readonly": ("read only", "읽기 전용"),
    "opening": ("opening the index…", "색인을 여는 중…"),
    "hint": ("{message} — {hint}",) * 2,
    # no index
    "no_index": ("There is no index yet. Next:", "아직 색인이 없습니다. 다음 중 하나:"),
    "next_here": ("i   index the folders of your config, here", "i   설정된 폴더를 여기서 색인"),
    "next_ingest": ("kebab ingest FOLDER   index a folder", "kebab ingest 폴더   폴더 색인"),
    "next_init": ("kebab init   choose the folder of your notes", "kebab init   노트 폴더 정하기"),
    # ingest
    "ingest": ("Index", "색인"),
    "ingest_start": ("Enter starts, Esc leaves", "Enter 시작, Esc 닫기"),
    "ingest_running": ("Esc stops after the file at hand", "Esc: 지금 파일까지만 하고 중단"),
    "ingest_closing": ("stopping…", "중단하는 중…"),
    "scanning": ("scanning {path}", "훑는 중 {path}"),
    "embedding": ("embedding chunks", "조각 임베딩"),
    "ingest_done": ("done: {counts}", "완료: {counts}"),
    "ingest_stopped": ("stopped: {counts}", "중단: {counts}"),
    "ingest_counts": (
        "{new} new, {updated} updated, {unchanged} unchanged, {removed} removed, {skipped} skipped, {errors} failed",
        "새 문서 {new}, 갱신 {updated}, 그대로 {unchanged}, 제거 {removed}, 제외 {skipped}, 실패 {errors}",
    ),
    "no_writing": ("--readonly was given: nothing is indexed", "--readonly 이므로 색인하지 않습니다"),
    "way_out": ("Ctrl-Q quits, Esc stops an answer", "Ctrl-Q 종료, Esc 답변 중단"),
    "cannot_suspend": ("run it yourself: {command}", "직접 실행하세요: {command}"),
    # keys
    "keys_input": ("Esc list  Tab next  ^T mode  ^Q quit  F1 help", "Esc 목록  Tab 다음  ^T 방식  ^Q 종료  F1 도움말"),
    "keys_list": (
        "Enter open  / type  f filter  m mode  1-4 pane  i index  ? help  q quit",
        "Enter 열기  / 입력  f 필터  m 방식  1-4 화면  i 색인  ? 도움말  q 종료",
    ),
    "keys_ask": (
        "Enter open  / type  s sessions  n new  h history  v verify  ? help  q quit",
        "Enter 열기  / 입력  s 세션  n 새로  h 기록  v 확인  ? 도움말  q 종료",
    ),
    "keys_dialog": ("Enter choose  Esc close", "Enter 선택  Esc 닫기"),
    "keys": ("Keys", "키"),
}
# In the order of the help screen: the key, then what it does in both languages.
_HELP: tuple[tuple[str, str, str], ...] = (
    ("1 2 3 4", "search, ask, library, doctor", "검색, 질문, 문서, 점검"),
    ("/", "type into the line at the top", "위쪽 입력 줄로"),
    ("f", "the filter line", "필터 줄로"),
    ("Esc", "stop an answer; from a line to the list and back", "답변 중단; 입력 줄과 목록 사이 이동"),
    ("Tab Shift-Tab", "next and previous part", "다음, 이전 영역"),
    ("↑ ↓ PgUp PgDn", "move; the preview follows", "이동; 미리보기가 따라옴"),
    ("Home End", "to the first and to the last", "처음과 끝"),
    ("Enter", "open the source at the line; in a line: ask", "원문을 그 줄에서 열기; 입력 줄에서는 질문"),
    ("p", "scroll in the preview", "미리보기 안에서 스크롤"),
    ("m, Ctrl-T", "words, meaning, or both", "단어, 의미, 둘 다"),
    ("s n", "choose a session, begin a new one", "세션 고르기, 새 세션"),
    ("h", "earlier answers", "이전 답변"),
    ("v", "check the citations against today's files", "인용을 오늘의 파일과 대조"),
    ("c", "library: only what needs attention", "문서: 확인이 필요한 것만"),
    ("i", "index folders, with progress", "폴더 색인, 진행 표시"),
    ("? F1", "these keys", "이 도움말"),
    ("Ctrl-Z", "to the shell; `fg` leads back", "셸로; `fg` 로 돌아옴"),
    ("q, Ctrl-Q", "quit", "종료"),
)


def language_of(variables: Mapping[str, str]) -> str:
    """`ko` or `en`, by the first variable that says anything about messages."""
    chosen = next((variables[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if variables.get(name)), "")
    return "ko" if chosen.lower().startswith("ko") else "en"


def words_in(language: str) -> Words:
    column = 1 if language == "ko" else 0
    return {name: row[column] for name, row in _ROWS.items()}


def help_rows(words: Words) -> list[tuple[str, str]]:
    korean = words["language"] == "ko"
    return [(key, in_korean if korean else in_english) for key, in_english, in_korean in _HELP]
