"""Fills a pretalx through its ORM, changes it, and counts what it holds: fill.py fill|change|count."""

import datetime as dt
import html
import io
import json
import re
import sys

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.files.base import ContentFile  # noqa: E402
from django.db import transaction  # noqa: E402
from django_scopes import scope, scopes_disabled  # noqa: E402
from PIL import Image  # noqa: E402
from pretalx.common.templatetags.rich_text import render_markdown  # noqa: E402
from pretalx.event.models import Event  # noqa: E402
from pretalx.event.utils import create_organiser_with_team  # noqa: E402
from pretalx.person.models import SpeakerProfile, User  # noqa: E402
from pretalx.person.models.auth_token import ENDPOINTS, READ_PERMISSIONS, UserApiToken  # noqa: E402
from pretalx.schedule.models import Availability, Room, TalkSlot  # noqa: E402
from pretalx.submission.models import (  # noqa: E402
    Answer, AnswerOption, Question, Review, ReviewScore, ReviewScoreCategory, Submission, SubmissionType, Tag, Track)

STATES = ["submitted", "accepted", "confirmed", "rejected", "canceled", "withdrawn", "draft"]
ODD = 'Boats & <b>"rivers"</b> 🚢 — \u202eabc‏ Ωmega'
START = dt.datetime(2027, 5, 20, 9, 0, tzinfo=dt.timezone.utc)


def photo(color):
    out = io.BytesIO()
    Image.new("RGB", (300, 300), color).save(out, "JPEG")
    return ContentFile(out.getvalue(), name="photo.jpg")


def fill():
    organiser, team = create_organiser_with_team(name="Organisers", slug="organisers", users=[])
    admin = User.objects.create_user(email="admin@example.org", name="Admin", password="secret-of-a-test")
    team.members.add(admin)
    team.all_events = team.is_reviewer = True
    for right in ("can_change_submissions", "can_change_event_settings", "can_change_organiser_settings"):
        setattr(team, right, True)
    team.save()
    event = Event.objects.create(
        name="Harbour", slug="harbour-there", organiser=organiser, is_public=True, email="o@example.org",
        date_from=dt.date(2027, 5, 20), date_to=dt.date(2027, 5, 21), timezone="Europe/Lisbon",
        locale_array="en,de", locale="en")
    with scope(event=event):
        event.build_initial_data()
        event.cfp.fields["availabilities"] = {"visibility": "optional"}
        event.cfp.fields["notes"] = {"visibility": "optional"}
        event.cfp.fields["do_not_record"] = {"visibility": "optional"}
        event.cfp.fields["avatar"] = {"visibility": "optional"}
        event.cfp.save()
        make(event, admin)
    with scopes_disabled():
        for name, rights in (("all", {e: list(READ_PERMISSIONS) for e in ENDPOINTS}), ("none", {})):
            token = UserApiToken.objects.create(name=name, user=admin, endpoints=rights, version="v1")
            token.events.add(event)
            print(name, token.token)


def make(event, admin):
    tracks = [Track.objects.create(event=event, name=name, color=color, position=n)
              for n, (name, color) in enumerate([("Boats", "#2e8599"), ("Rivers", "#c0562a"), (ODD, "#2f8f4e")])]
    short = SubmissionType.objects.create(event=event, name="Short talk", default_duration=20)
    types = [event.cfp.default_type, short]
    rooms = [Room.objects.create(event=event, name=name, capacity=capacity, position=n)
             for n, (name, capacity) in enumerate([("Great Hall", 300), ("Cabin", None)])]
    tags = [Tag.objects.create(event=event, tag=name, color="#00ff00") for name in ("beginner", "hands-on")]
    ask = lambda label, variant, target="submission", **more: Question.objects.create(  # noqa: E731
        event=event, question=label, variant=variant, target=target, is_public=False, **more)
    level = ask("Level", "choices")
    levels = [AnswerOption.objects.create(question=level, answer=a) for a in ("Easy", "Hard")]
    needs = ask("What do you need?", "multiple_choice")
    needed = [AnswerOption.objects.create(question=needs, answer=a) for a in ("Water", "Power, and light", "A boat")]
    before, given = ask("Given before?", "boolean"), ask("When was it first given?", "date")
    shirt = ask("Shirt", "string", "speaker")
    vegan, years = ask("Vegan?", "boolean", "speaker"), ask("Years at sea", "number", "speaker")
    verdict = ask("Would you come?", "string", "reviewer")
    people = []
    for n in range(24):
        user = User.objects.create_user(email=f"p{n}@example.org", name=f"Person {n} Zoë" if n else "Single")
        profile = SpeakerProfile.objects.create(
            user=user, event=event, biography=f"Bio *{n}*\n\n{ODD}" if n % 2 else "", internal_notes="Kind" if n == 1 else "")
        if n % 3 == 0:
            user.avatar.save("photo.jpg", photo((n * 9, 90, 90)))
        if n % 4 == 0:
            Availability.objects.create(event=event, person=profile, start=START - dt.timedelta(hours=1),
                                        end=START + dt.timedelta(hours=3))
        Answer.objects.create(question=shirt, person=user, answer="ML"[n % 2])
        if n % 2:
            Answer.objects.create(question=vegan, person=user, answer="True")
            Answer.objects.create(question=years, person=user, answer=str(n))
        people.append(user)
    for n in range(70):
        state = STATES[n % len(STATES)]
        sub = Submission.objects.create(
            event=event, title=f"Talk {n}" if n % 9 else ODD, state=state, submission_type=types[n % 2], track=tracks[n % 3],
            abstract=f"**Abstract** of {n}\nsecond line", description="- one\n- two" if n % 2 else "", content_locale="de",
            notes="Please early" if n % 5 == 0 else "", internal_notes="Secret" if n % 7 == 0 else "",
            do_not_record=n % 10 == 0, pending_state="accepted" if n % 14 == 0 else None)
        for who in {people[n % 24], people[(n * 5 + 1) % 24]}:
            sub.speakers.add(who)
        sub.tags.set(tags[: n % 3])
        answer = Answer.objects.create(question=level, submission=sub, answer=levels[n % 2].answer)
        answer.options.set([levels[n % 2]])
        answer = Answer.objects.create(question=needs, submission=sub, answer="x")
        answer.options.set(needed[: 1 + n % 3])
        Answer.objects.create(question=before, submission=sub, answer=str(n % 2 == 0))
        if n % 3 == 0:
            Answer.objects.create(question=given, submission=sub, answer="2026-01-31")
    review(event, admin, verdict)
    schedule(event, rooms)


def review(event, admin, verdict):
    ReviewScoreCategory.objects.all().delete()
    fun = ReviewScoreCategory.objects.create(event=event, name="Fun", weight=2)
    depth = ReviewScoreCategory.objects.create(event=event, name="Depth", weight="0.5")
    scores = {c: [ReviewScore.objects.create(category=c, value=v, label=f"L{v}") for v in range(4)] for c in (fun, depth)}
    reviewers = [User.objects.create_user(email=f"r{n}@example.org", name=f"Reviewer {n}") for n in range(3)]
    for n, sub in enumerate(event.submissions.order_by("title", "pk")):
        for m, user in enumerate(reviewers[: n % 4]):
            given = Review.objects.create(submission=sub, user=user, text=f"I think {n}{m}")
            given.scores.set([scores[fun][(n + m) % 4]] + ([scores[depth][m]] if m else []))
            given.save(update_score=True)
            if m == 0:
                Answer.objects.create(question=verdict, review=given, answer="Surely")


def schedule(event, rooms):
    wip = event.wip_schedule
    for n, sub in enumerate(event.submissions.filter(state__in=["accepted", "confirmed"]).order_by("pk")):
        if n == 3:
            sub.slot_count = 2
            sub.save()
        sub.update_talk_slots()
        for m, slot in enumerate(wip.talks.filter(submission=sub)):
            if n == 5:
                continue  # accepted and not placed
            slot.start = START + dt.timedelta(minutes=30 * n, hours=24 * m)
            slot.end = slot.start + dt.timedelta(minutes=sub.get_duration())
            slot.room = rooms[n % 2]
            slot.save()
    for day in range(2):
        for room in rooms:
            start = START + dt.timedelta(days=day, hours=3, minutes=30)
            TalkSlot.objects.create(schedule=wip, room=room, start=start, end=start + dt.timedelta(hours=1),
                                    description={"en": "Lunch", "de": "Mittag"})
    wip.freeze("1.0", notify_speakers=False)


def change():
    """Ten changes, each of another kind."""
    event = Event.objects.get(slug="harbour-there")
    with scope(event=event):
        subs = list(event.submissions.order_by("pk"))
        submitted = [s for s in subs if s.state == "submitted"]
        placed = [s for s in subs if s.state == "confirmed"]
        subs[1].title = "Another title"  # 1
        subs[1].save()
        submitted[1].state, submitted[1].pending_state = "rejected", None  # 2
        submitted[1].save()
        slot = event.wip_schedule.talks.filter(submission=placed[0]).first()  # 3
        slot.start, slot.end = slot.start + dt.timedelta(hours=24), slot.end + dt.timedelta(hours=24)
        slot.save()
        Track.objects.filter(name__icontains="Rivers", color="#c0562a").update(name="Streams")  # 4
        user = User.objects.get(email="p2@example.org")  # 5
        user.name = "Grace Hopper"
        user.save()
        User.objects.get(email="p3@example.org").avatar.save("other.jpg", photo((1, 200, 1)))  # 6
        added = Submission.objects.create(event=event, title="A late one", state="submitted",  # 7
                                          submission_type=event.cfp.default_type, abstract="Late")
        added.speakers.add(User.objects.get(email="p4@example.org"))
        subs[3].tags.set(event.tags.all())  # 8
        lunch = event.wip_schedule.talks.filter(submission__isnull=True).order_by("start").first()  # 9
        lunch.start += dt.timedelta(minutes=15)
        lunch.save()
        answer = Answer.objects.filter(question__target="speaker", question__variant="string").order_by("pk").first()  # 10
        answer.answer = "XXL"
        answer.save()


def words(markdown):
    """The words that people read of a text, whichever way they are set."""
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", render_markdown(markdown))).split())


def said(answer):
    """An answer with its question, as "Level: Easy"."""
    question, given = answer.question, answer.answer
    if question.variant == "boolean":
        given = "Yes" if given == "True" else "No"
    elif question.variant in ("choices", "multiple_choice"):
        chosen = {o.pk for o in answer.options.all()}
        given = ", ".join(str(o.answer) for o in question.options.all() if o.pk in chosen)
    return f"{question.question}: {given}"


def opinion(review):
    scores = sorted(f"{s.category.name} {float(s.value):g}" for s in review.scores.all())
    return f"{review.user.name}: {', '.join(scores)}; " + " ".join([review.text] + [said(a) for a in review.answers.all()])


def labels(event):
    """Rooms, tracks and types with what is said of them, the weights of scores, and what is asked."""
    return sorted(
        [f"room {r.name} {r.capacity or ''}" for r in event.rooms.all()]
        + [f"track {t.name} {t.color.lower()}" for t in event.tracks.all()]
        + [f"format {t.name} {t.default_duration}" for t in event.submission_types.all()]
        + [f"tag {t.tag} " for t in event.tags.all()]
        + [f"weight {c.name} {float(c.weight) * 10:g}" for c in event.score_categories.all()]
        + [f"question {q.question} {', '.join(str(o.answer) for o in q.options.all())}"
           for q in event.questions.exclude(target="reviewer")])


def count():
    """What a move is to bring, as JSON."""
    event = Event.objects.get(slug="harbour-there")
    here = {"submitted": "pending", "accepted": "accepted", "confirmed": "accepted", "rejected": "declined",
            "canceled": "withdrawn", "withdrawn": "withdrawn"}
    with scope(event=event):
        talks = event.wip_schedule.talks.filter(start__isnull=False, room__isnull=False)
        rows = []
        for sub in event.submissions.all():
            state = here[sub.state]
            if sub.state == "submitted" and sub.pending_state == "accepted":
                state = "accept_queue"
            rows.append({
                "title": sub.title, "state": state, "track": str(sub.track.name) if sub.track else "",
                "format": str(sub.submission_type.name), "tags": sorted(t.tag for t in sub.tags.all()),
                "people": [u.name for u in sub.speakers.all()], "answers": sorted(said(a) for a in sub.answers.all()),
                "text": words(f"{sub.abstract or ''}\n\n{sub.description or ''}".strip()),
                "reviews": sorted(opinion(r) for r in sub.reviews.all()),
                "slots": sorted(f"{t.start:%Y-%m-%dT%H:%M} {t.room.name}" for t in talks.filter(submission=sub))})
        people = SpeakerProfile.objects.filter(event=event, user__submissions__in=event.submissions.all()).distinct()
        print(json.dumps({
            "submissions": rows, "labels": labels(event),
            "people": [{"name": p.user.name, "about": words(p.biography),
                        "answers": sorted(said(a) for a in Answer.objects.filter(person=p.user))} for p in people],
            "photos": User.objects.filter(profiles__event=event).exclude(avatar="").exclude(avatar=None).count(),
            "away": Availability.objects.filter(event=event, person__isnull=False).count(),
            "reviews": event.reviews.count(),
            "sessions": talks.filter(submission__isnull=False).count(),
            "breaks": sorted(f"{t.start:%Y-%m-%dT%H:%M} {t.room.name} {t.description}" for t in talks.filter(submission__isnull=True))}))


settings.SEND_EMAIL = False
with scopes_disabled(), transaction.atomic():
    {"fill": fill, "change": change, "count": count}[sys.argv[1]]()
