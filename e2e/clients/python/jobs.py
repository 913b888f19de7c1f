"""The eleven commonest jobs of a program that talks to Lectern, with a client made by

openapi-python-client generate --url $LECTERN_URL/v1/openapi.json --meta none --output-path lectern
"""

import os
from datetime import datetime

from lectern import AuthenticatedClient
from lectern.api.changes import list_changes
from lectern.api.key import get_key
from lectern.api.rooms import list_rooms
from lectern.api.sessions import bulk_sessions, create_session, get_session, search_sessions, update_session
from lectern.api.speakers import search_speakers
from lectern.api.tracks import list_tracks
from lectern.models import (
    BulkCreate, BulkDelete, BulkRequest, BulkUpdate, ChangeKind, Error, NewAnswer, SessionCreate, SessionFilters,
    SessionSearch, SessionSort, SessionSortKey, SessionStatus, SessionUpdate, SortDirection, TextFilters, TextSearch,
)

lectern = AuthenticatedClient(
    os.environ["LECTERN_URL"], token=os.environ["LECTERN_KEY"], prefix="", auth_header_name="x-access-token"
)


def ok(answer):
    """The answer of a success; a refusal is raised, with the server's word for it."""
    if isinstance(answer, Error):
        raise RuntimeError(f"{answer.error}: {answer.message}")
    return answer


# 1. Who am I?
key = ok(get_key.sync(client=lectern))
event = key.event.id
print(f"1 {key.event.name}: {'may write' if 'write:sessions' in key.scopes else 'reads'}")

# 2. List metadata.
rooms = ok(list_rooms.sync(event, client=lectern)).results
tracks = ok(list_tracks.sync(event, client=lectern)).results
print(f"2 {', '.join(track.name for track in tracks)} in {', '.join(room.name for room in rooms)}")

# 3. Search sessions with a filter, page by page, for their titles alone.
accepted = SessionFilters(is_abstract=False, status=[SessionStatus.ACCEPTED])
by_time = SessionSort(order=SessionSortKey.STARTSAT, sort=SortDirection.ASC)
programme, page, pages = [], 1, 1
while page <= pages:
    search = SessionSearch(filters=accepted, sort=by_time, fields=["title"], page=page, page_size=1)
    found = ok(search_sessions.sync(event, client=lectern, body=search))
    programme += found.results
    page, pages = page + 1, found.pagination.total_pages
print(f"3 {', '.join(session.title for session in programme)}")

# 4. Create a submission. The key makes it safe to send it again when no answer came.
body = SessionCreate(
    title="What the tide tables left out", is_abstract=True, track_id=tracks[0].id,
    custom_fields=[NewAnswer(key="length", value="30 minutes")],
)
made, again = (
    ok(create_session.sync(event, client=lectern, body=body, idempotency_key="form-7-answer-1")) for _ in range(2)
)
print(f"4 {made.friendly_id}, {'once' if made.id == again.id else 'twice'}")

# 5. Read it, by its id or by its label.
read = ok(get_session.sync(event, made.friendly_id, client=lectern))
print(f"5 {read.title}: {read.status}, {read.track.name}, {read.custom_fields[0].value}")

# 6. Change it, unless somebody else did since it was read.
changed = ok(update_session.sync(event, read.id, client=lectern, body=SessionUpdate(
    status=SessionStatus.ACCEPT_QUEUE, updated_at=read.updated_at)))
late = update_session.sync_detailed(event, read.id, client=lectern, body=SessionUpdate(
    status=SessionStatus.DECLINED, updated_at=read.updated_at))
print(f"6 {changed.status}; later {late.status_code.value} {late.parsed.error}")

# 7. Read why something was refused: a stable name, words for a person, the faulty fields.
missing = get_session.sync_detailed(event, "A-99", client=lectern)
faulty = create_session.sync_detailed(event, client=lectern, body=SessionCreate(title=""))
print(f"7 {missing.status_code.value} {missing.parsed.error}, {faulty.status_code.value} {faulty.parsed.error}"
      f" of {', '.join(fault.field for fault in faulty.parsed.details)}")

# 8. Create and change many at once; each item tells for itself how it went.
batch = ok(bulk_sessions.sync(event, client=lectern, idempotency_key="import-3", body=BulkRequest([
    BulkCreate(action="create", data=SessionCreate(title="Pumps", is_abstract=True)),
    BulkUpdate(action="update", id=made.id, data=SessionUpdate(description="<p>A field report.</p>")),
    BulkDelete(action="delete", id="A-99"),
])))
print(f"8 {', '.join(item.error.code if item.error else item.status for item in batch.results)}")

# 9. Give a session a room and a time.
talk = ok(create_session.sync(event, client=lectern, body=SessionCreate(title="Opening")))
placed = ok(update_session.sync(event, talk.id, client=lectern, body=SessionUpdate(
    room_id=rooms[0].id,
    starts_at=datetime.fromisoformat("2027-05-14T09:00:00+01:00"),
    ends_at=datetime.fromisoformat("2027-05-14T09:30:00+01:00"))))
print(f"9 {placed.title}: {placed.room.name}, {placed.starts_at:%Y-%m-%dT%H:%M:%S.000Z}")

# 10. Search speakers.
speakers = ok(search_speakers.sync(event, client=lectern, body=TextSearch(filters=TextFilters(text="lovelace"))))
print(f"10 {', '.join(speaker.full_name for speaker in speakers.results)}")

# 11. Keep a copy of what changes, here of rooms and tracks.
changes = ok(list_changes.sync(event, client=lectern, kinds=[ChangeKind.ROOM, ChangeKind.TRACK]))
print(f"11 {len(changes.results)} changes of {', '.join(changes.kinds)}")
