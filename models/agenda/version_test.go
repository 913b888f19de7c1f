package agenda_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/desk"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

func onDay(hour, minute int) store.Time {
	return store.At(time.Date(2027, 5, 20, hour, minute, 0, 0, time.UTC))
}

// staged makes a public session in a room at an hour, with a speaker.
func staged(t *testing.T, f *modelstest.Fixture, title, room string, hour int) *models.Session {
	t.Helper()
	s := modelstest.Composed(t, f, title, true)
	return place(t, f, s, room, hour, true)
}

func place(t *testing.T, f *modelstest.Fixture, s *models.Session, room string, hour int, public bool) *models.Session {
	t.Helper()
	return modelstest.Must(f.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{IsPublic: &public,
		SessionInput: models.SessionInput{RoomID: store.Some(room), StartsAt: store.Some(onDay(hour, 0)),
			EndsAt: store.Some(onDay(hour, 40))}}))(t)
}

func inWords(changes []agenda.Change) string {
	var out []string
	for _, c := range changes {
		text := c.Now().Title
		for _, x := range []struct {
			is   bool
			name string
		}{{c.IsNew(), "new"}, {c.IsCancelled(), "cancelled"}, {c.NewTime(), "time"}, {c.NewRoom(), "room"}, {c.IsRenamed(),
			"renamed"}} {
			if x.is {
				text += " " + x.name
			}
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

func TestADifferenceNamesWhatIsNewMovedCancelledAndRenamed(t *testing.T) {
	t.Parallel()
	entry := func(id, title, room string, hour int) *agenda.Entry {
		return &agenda.Entry{SessionID: id, Title: title, RoomID: room, Room: "Room " + room, StartsAt: onDay(hour,
			0), EndsAt: onDay(hour, 30)}
	}
	was := []*agenda.Entry{entry("a", "A", "1", 9), entry("b", "B", "1", 10), entry("c", "C", "1", 11),
		entry("d", "D", "1", 12), entry("e", "E", "1", 13)}
	longer := entry("e", "E2", "1", 13)
	longer.EndsAt = onDay(14, 0)
	renamedRoom := entry("a", "A", "1", 9)
	renamedRoom.Room = "Another name"
	is := []*agenda.Entry{renamedRoom, entry("b", "B", "2", 10), entry("c", "C!", "1", 11), longer, entry("f", "F",
		"1", 8)}
	modelstest.Want(t, "in words", inWords(agenda.Difference(was, is)),
		"D cancelled; B room; E2 time renamed; F new; C! renamed")
	modelstest.Want(t, "changes of nothing", len(agenda.Difference(was, was)), 0)
	modelstest.Want(t, "in words", inWords(agenda.Difference(nil, is[:1])), "A new")
	night := entry("n", "N", "1", 23)
	night.EndsAt = onDay(25, 30)
	modelstest.Want(t, "where", night.Where(time.UTC), "Thu 20 May, 23:00 to 01:30 on Fri 21 May, Room 1")
}

func TestAReleasedAgendaIsAVersionAndItsDifferenceLetters(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		hall, loft := modelstest.RowOf(t, p, models.Rooms, "Hall").ID, modelstest.RowOf(t, p, models.Rooms, "Loft").ID
		moved, gone, same := staged(t, f, "Moved", hall, 9), staged(t, f, "Gone", hall, 10), staged(t, f, "Same", hall, 11)
		secret := place(t, f, modelstest.Composed(t, f, "Secret", true), hall, 12, false)
		timeless := modelstest.Composed(t, f, "Timeless", true)
		modelstest.Fine(t, modelstest.ErrorOf(p.Publish(ctx, timeless.ID, models.Publishing{})))
		abroad := modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Abroad",
			SessionInput: models.SessionInput{StartsAt: store.Some(onDay(9, 0))}}))(t)
		modelstest.Must(f.Elsewhere().UpdateSession(ctx, abroad.ID, models.SessionChange{IsPublic: new(true),
			PublishOverride: true}))(t)
		modelstest.Emitted(t, f)

		last, changes, err := agenda.Of(p).PendingChanges(ctx)
		if err != nil || last != nil || inWords(changes) != "Moved new; Gone new; Same new" {
			t.Fatalf("%v %s %v", last, inWords(changes), err)
		}
		for _, bad := range []agenda.Release{{}, {Name: strings.Repeat("n", 256)}, {Name: "N", Note: strings.Repeat("n",
			agenda.MaxVersionNote+1)}, {Name: "N", Subject: "S", Body: "{{nobody}}"}, {Name: "N", Subject: "S"}} {
			modelstest.Answers(letters.Of(p).ReleaseAgenda(ctx, bad))(t, fmt.Sprint(bad), store.Invalid)
		}
		first := modelstest.Must(letters.Of(p).ReleaseAgenda(ctx, agenda.Release{Name: "First", Note: "N",
			Seen: agenda.Fingerprint(changes)}))(t)
		_, err = letters.Of(p).ReleaseAgenda(ctx, agenda.Release{Name: "Again"})
		modelstest.WantKind(t, "nothing changed", err, store.Invalid)
		if first.Number != 1 || err.Error() != "agenda has not changed since version 1, so there is nothing to release" {
			t.Errorf("%+v, %v", first, err)
		}

		place(t, f, modelstest.Must(p.Session(ctx, moved.ID))(t), loft, 14, true)
		modelstest.SetStatus(t, p, gone.ID, models.Withdrawn)
		modelstest.Update(t, p, same.ID, models.SessionInput{Description: new("Other words")})
		fresh := staged(t, f, "Fresh", loft, 8)
		_, err = letters.Of(p).ReleaseAgenda(ctx, agenda.Release{Name: "Second", Seen: agenda.Fingerprint(changes)})
		modelstest.WantKind(t, "another difference than was seen", err, store.Stale)
		modelstest.Emitted(t, f)
		second := modelstest.Must(letters.Of(p).ReleaseAgenda(ctx,
			agenda.Release{Name: "Second", Subject: "For {{first_name}}: {{changes}}", Body: letters.ChangesText.Body}))(t)
		modelstest.WantAll(t, "emissions of a release", modelstest.EmittedTypes(t, f), nil)
		_, changes, err = agenda.Of(p).VersionChanges(ctx, second.ID)
		if err != nil || inWords(changes) != "Gone cancelled; Moved time room; Fresh new" {
			t.Errorf("%s, %v", inWords(changes), err)
		}
		m := modelstest.Must(letters.Of(p).MailingOf(ctx, second.ID))(t)
		rows := modelstest.Mailed(t, p, m.ID)
		texts := map[string]string{}
		for _, row := range rows {
			texts[row.Email] = row.Body
			if row.State != models.LetterDraft || strings.ContainsAny(row.Subject, "\r\n") || row.Missing != "" {
				t.Errorf("%+v", row.Letter)
			}
		}
		if len(rows) != 3 || !strings.Contains(texts["moved@x.org"], "\n\nMoved: “Moved” ("+moved.FriendlyID+
			") is now Thu 20 May, 16:00 to 16:40, Loft. Before, it was Thu 20 May, 11:00 to 11:40, Hall.\n\n") ||
			!strings.Contains(texts["gone@x.org"], "Cancelled: “Gone”") || !strings.Contains(texts["fresh@x.org"],
			"New: “Fresh”") {
			t.Errorf("%q", texts)
		}
		modelstest.Answers(letters.Of(p).DraftChangeLetters(ctx, second.ID, "S", "B"))(t, "letters twice", store.Invalid)
		// A snapshot stays what it was, whatever becomes of sessions.
		modelstest.Must(p.DeleteSession(ctx, fresh.ID))(t)
		if _, changes, _ = agenda.Of(p).VersionChanges(ctx, second.ID); inWords(changes) != "Gone cancelled; Moved time room; Fresh new" {
			t.Error(inWords(changes))
		}
		public := modelstest.Must(agenda.Of(p).PublicVersions(ctx, 10))(t)
		text, _ := json.Marshal(public)
		if len(public) != 2 || public[0].Number != 2 || len(public[0].Changes) != 3 || len(public[1].Changes) != 0 ||
			strings.Contains(string(text), "@") || strings.Contains(string(text), "Secret") || strings.Contains(string(text),
			"Abroad") {
			t.Errorf("%s", text)
		}
		if one := modelstest.Must(agenda.Of(p).PublicVersions(ctx, 1))(t); len(one) != 1 || len(one[0].Changes) != 3 {
			t.Errorf("%+v", one)
		}
		modelstest.Answers(agenda.Of(f.Elsewhere()).VersionChanges(ctx, second.ID))(t, "elsewhere", store.NotFound)
		_, err = letters.Of(f.Elsewhere()).DraftChangeLetters(ctx, second.ID, "S", "B")
		modelstest.WantKind(t, "letters elsewhere", err, store.NotFound)
		_ = secret
	})
}

func TestTwoWhoReleaseAtOnceReleaseOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		staged(t, f, "One", modelstest.RowOf(t, f.Programme(), models.Rooms, "Hall").ID, 9)
		errs := modelstest.AtOnce(2, func(int) error {
			return modelstest.ErrorOf(letters.Of(f.Programme()).ReleaseAgenda(t.Context(),
				agenda.Release{Name: "V", Subject: "S", Body: "{{changes}}"}))
		})
		if (errs[0] == nil) == (errs[1] == nil) {
			t.Fatal(errs)
		}
		for _, err := range errs {
			if kind := store.KindOf(err); err != nil && kind != store.Stale && kind != store.Invalid {
				t.Error(err)
			}
		}
		modelstest.Want(t, "versions", len(modelstest.Must(agenda.Of(f.Programme()).Versions(t.Context()))(t)), 1)
		var n int64
		modelstest.Fine(t, f.Read(t.Context()).Table("letters").Where("event_id = ?", f.Event.ID).Count(&n).Error)
		if n != 2 { // with that of the decision
			t.Errorf("%d letters", n)
		}
	})
}

func TestAVersionFollowsPeopleWhoAreMergedOrErased(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		s := staged(t, f, "One", modelstest.RowOf(t, p, models.Rooms, "Hall").ID, 9)
		v := modelstest.Must(letters.Of(p).ReleaseAgenda(ctx, agenda.Release{Name: "V"}))(t)
		modelstest.Fine(t, people.In(p.Directory()).Erase(ctx, s.Participants[0].ContactID))
		_, changes, err := agenda.Of(p).VersionChanges(ctx, v.ID)
		text, _ := json.Marshal(changes)
		if err != nil || strings.Contains(string(text), "Name0") || len(changes) != 1 {
			t.Errorf("%s, %v", text, err)
		}
	})
}

func TestAChangeAfterAReleaseIsUntoldUntilTheNextOne(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		hall, loft := modelstest.RowOf(t, f.Programme(), models.Rooms, "Hall").ID, modelstest.RowOf(t, f.Programme(),
			models.Rooms, "Loft").ID
		moved, still := staged(t, f, "Moved", hall, 9), staged(t, f, "Still", hall, 10)
		elsewhere := modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Leak",
			SessionInput: models.SessionInput{StartsAt: store.Some(onDay(9, 0))}}))(t)
		want := func(why string, people int64, of map[*models.Session]string) {
			t.Helper()
			if got := modelstest.Must(desk.Of(f.Programme()).Dashboard(ctx, store.At(f.Clock.Now())))(t).Untold; got != people {
				t.Errorf("%s: %d people, want %d", why, got, people)
			}
			var all []string
			for _, s := range []*models.Session{moved, still, elsewhere} {
				c := modelstest.Must(agenda.Of(f.Programme()).PendingChange(ctx, s.ID))(t)
				said := ""
				if c != nil {
					said = inWords([]agenda.Change{*c})
					all = append(all, said)
				}
				modelstest.Want(t, why+": "+s.Title+" is", said, of[s])
			}
			_, pending, err := agenda.Of(f.Programme()).PendingChanges(ctx)
			modelstest.Fine(t, err)
			slices.Sort(all)
			if released := strings.Split(inWords(pending), "; "); len(of) > 0 &&
				!slices.Equal(slices.Sorted(slices.Values(released)), all) {
				t.Errorf("%s: a release has %q, the sessions %q", why, released, all)
			}
		}
		want("before the first release", 0, nil)
		release := func() {
			modelstest.Must(letters.Of(f.Programme()).ReleaseAgenda(ctx, agenda.Release{Name: "Draft"}))(t)
		}
		release()
		want("released", 0, nil)
		place(t, f, moved, loft, 14, true)
		want("moved", 1, map[*models.Session]string{moved: "Moved time room"})
		place(t, f, moved, hall, 9, true)
		want("moved back", 0, nil)
		place(t, f, moved, loft, 14, true)
		modelstest.Fine(t, modelstest.ErrorOf(f.Programme().Unpublish(ctx, still.ID)))
		want("and another one is off", 2, map[*models.Session]string{moved: "Moved time room", still: "Still cancelled"})
		f.Clock.Move(24 * time.Hour)
		want("a day later", 2, map[*models.Session]string{moved: "Moved time room", still: "Still cancelled"})
		release()
		want("released again", 0, nil)
		f.Clock.Move(24 * time.Hour)
		modelstest.Must(f.Programme().DeleteSession(ctx, moved.ID))(t)
		want("deleted", 1, map[*models.Session]string{moved: "Moved cancelled"})
	})
}
