import pytest
from tests.addresses import client_of
from tests.rendered import list_texts
from django.urls import reverse
from curation.reviewing.rounds.models import ReviewRound
from curation.problems.models import Problem
from phybench.people.models import User


def test_read(world):
    out = open("/tmp/words-pages.txt", "w")
    slug = world.benchmark.slug if hasattr(world, "benchmark") else "test"
    pr = {p.title: p for p in Problem.objects.all()}
    rounds = list(ReviewRound.objects.all())
    B = f"/b/{slug}"
    pages = [
        ("admin", "/inbox/"),
        ("contributor", f"{B}/overview/"),
        ("reviewer", f"{B}/overview/"),
        ("admin", f"{B}/overview/"),
        ("contributor", f"{B}/problems/"),
        ("admin", f"{B}/review/"),
        ("reviewer", f"{B}/review/"),
        ("admin", f"{B}/review/?show=splits"),
        ("admin", f"{B}/settings/members/"),
        ("admin", f"{B}/settings/members/invite/"),
        ("contributor", f"{B}/problems/import/"),
        ("admin", f"{B}/settings/review/"),
        ("admin", f"{B}/settings/"),
        ("contributor", f"{B}/problems/new/"),
    ]
    for p in Problem.objects.order_by("pk")[:5]:
        pages += [
            ("contributor", f"/p/{p.pk}/"),
            ("contributor", f"/p/{p.pk}/edit/"),
            ("admin", f"/p/{p.pk}/"),
        ]
    for r in rounds[:5]:
        pages += [("reviewer", f"/r/{r.pk}/"), ("admin", f"/r/{r.pk}/decide/")]
    for lang in ("en", "zh-hans"):
        User.objects.update(interface_language=lang)
        for who, a in pages:
            person = world.people[who]
            person.refresh_from_db()
            c = client_of(person)
            ans = c.get(a)
            print("=====", lang, who, a, ans.status_code, file=out)
            if ans.status_code == 200:
                ts = list_texts(ans.content.decode())
                print("\n".join(ts), file=out)
            elif ans.status_code in (301, 302):
                print("->", ans["Location"], file=out)
    out.close()
