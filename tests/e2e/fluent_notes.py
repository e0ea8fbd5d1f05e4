"""Notes in two languages, each in one only, and questions in the other one that share no word with their answer."""

NOTES = {
    "bread.md": """# Weekend bread

Feed the starter on Friday night and leave it on the counter.

## Dough

Mix flour, water and salt, and let the dough rise until it has doubled.

## Baking

Bake the loaf in a very hot oven for forty minutes.
""",
    "running.md": """# Training for ten kilometres

Run three times a week and never two days in a row.

## Intervals

Six fast laps of the track, with a slow one after each.

## Rest

Stop for a week when a knee hurts.
""",
    "ops/restore.md": """---
tags: [ops]
---
# Restoring the database

Stop the server, load last night's dump, and start the server again.

## When the disk is full

Delete old archives first, then try once more.
""",
    "plants.md": """# House plants

Water the ficus when its soil is dry, about once a week in summer.

## Light

Ferns do not like the sun; keep them away from the window.
""",
    "수면.md": """# 수면 기록

새벽에 자꾸 깨서 적기 시작했다.

## 카페인

오후 두 시가 지나면 커피를 마시지 않는다.

## 침실 온도

방이 서늘할수록 덜 깬다.
""",
    "요리/김치찌개.md": """---
tags: [요리]
---
# 김치찌개

돼지고기와 묵은 김치를 먼저 볶고 물을 붓는다.

## 간 맞추기

싱거우면 새우젓을 조금 넣는다.
""",
    "여행.md": """# 제주 여행

첫째 날은 동쪽 바닷가를 걷고 오름에 오른다.

## 숙소

바다가 보이는 방을 두 달 전에 예약한다.
""",
    "공유기.md": """# 공유기 설정

비밀번호를 바꾸고 다시 시작한다.

## 느릴 때

가까운 채널을 피해 다른 것을 고른다.
""",
}

# What finds which note by meaning alone.
QUESTIONS = {
    "빵 반죽 발효": "bread.md",
    "데이터베이스 복구 방법": "ops/restore.md",
    "달리기 훈련 계획": "running.md",
    "how to cook kimchi stew": "요리/김치찌개.md",
    "trouble falling asleep": "수면.md",
    "a walk along the beach on Jeju island": "여행.md",
}
