package desk_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/desk"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/seed"
	"lectern/models/store"
)

func TestTheDashboardCountsWhereTheEventStands(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		empty := modelstest.Must(desk.Of(p).Dashboard(t.Context(), store.At(f.Clock.Now())))(t)
		if len(empty.Abstracts) != 7 || empty.AbstractsTotal+empty.Sessions != 0 || len(empty.Created) != 60 ||
			len(empty.Needs) != 0 {
			t.Errorf("an empty event has %+v", empty)
		}
		room := func() string {
			return modelstest.RowOf(t, p, models.Rooms, "R").ID
		}
		first, second := room(), room()
		tracks := []string{}
		for range 2 {
			tracks = append(tracks, modelstest.RowOf(t, p, models.Tracks, "T").ID)
		}
		abstract := func(status models.Status) string {
			n := models.NewSession{Title: "A", IsAbstract: true,
				SessionInput: models.SessionInput{Status: &status, TrackID: store.Some(tracks[1])}}
			return modelstest.Must(f.Programme().CreateSession(t.Context(), n))(t).ID
		}
		for status, n := range map[models.Status]int{models.Pending: 2, models.AcceptQueue: 3, models.DeclineQueue: 1,
			models.Accepted: 3} {
			for range n {
				abstract(status)
			}
		}
		told, composed, gone := abstract(models.Accepted), abstract(models.Accepted), abstract(models.AcceptQueue)
		f.SetLetter(t, f.Event, told, models.LetterSent)
		f.SetLetter(t, f.Event, composed, models.LetterFailed)
		modelstest.Must(f.Programme().Compose(t.Context(), []string{composed}, ""))(t) // the one without room and start
		f.Speaker(t, f.Event, gone, models.NewContact{FirstName: "Gone"})
		modelstest.Must(f.Programme().DeleteSession(t.Context(), gone))(t)
		session := func(room string, from, minutes int) string {
			start := store.At(f.Clock.Now().Add(time.Duration(from) * time.Minute))
			in := models.SessionInput{StartsAt: store.Some(start), RoomID: store.Some(room)}
			if minutes >= 0 {
				in.EndsAt = store.Some(store.At(start.Add(time.Duration(minutes) * time.Minute)))
			}
			return modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "S", SessionInput: in}))(t).
				ID
		}
		long := session(first, 0, 60) // overlaps with the second, the third and the fourth: 3
		session(first, 0, 30)         // and this with the third: 1
		session(first, 10, -1)        // an instant
		session(first, 30, 30)        // begins when the second ends
		session(first, 60, 0)         // begins when the first and the fourth end
		session(first, 60, 0)         // and these two are at one time: 1
		session(second, 0, 60)
		session(second, 60, 60)
		deleted := session(second, 0, 120)
		modelstest.Must(f.Programme().DeleteSession(t.Context(), deleted))(t)
		ada := f.Speaker(t, f.Event, long, models.NewContact{FirstName: "Ada"})
		f.Join(t, f.Event, told, ada, models.Speaking)
		modelstest.Must(f.Programme().UpdateSession(t.Context(), long,
			models.SessionChange{IsPublic: new(true), PublishOverride: true}))(t)
		other := modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "S", IsAbstract: true}))(t)
		f.Speaker(t, f.Other, other.ID, models.NewContact{FirstName: "Bob"})
		d := modelstest.Must(desk.Of(f.Programme()).Dashboard(t.Context(), store.At(f.Clock.Now())))(t)
		want := map[models.Status]int64{models.Draft: 0, models.Pending: 2, models.AcceptQueue: 3, models.Accepted: 5,
			models.DeclineQueue: 1, models.Declined: 0, models.Withdrawn: 0}
		if fmt.Sprint(d.Abstracts) != fmt.Sprint(want) || d.AbstractsTotal != 11 {
			t.Errorf("abstracts %v, %d", d.Abstracts, d.AbstractsTotal)
		}
		if d.Sessions != 9 || d.Scheduled != 8 || d.Public != 1 {
			t.Errorf("%d sessions, %d scheduled, %d public", d.Sessions, d.Scheduled, d.Public)
		}
		if len(d.Tracks) != 2 || d.Tracks[0].ID != tracks[0] || d.Tracks[0].Abstracts != 0 || d.Tracks[1].Abstracts != 11 ||
			d.Tracks[1].Accepted != 5 || d.Tracks[1].Queued != 3 {
			t.Errorf("%+v", d.Tracks)
		}
		of := func(need models.Need, abstracts bool) models.Waiting {
			return models.Waiting{Need: need, IsAbstract: abstracts}
		}
		waits := map[models.Waiting]int64{
			of(models.NeedsAcceptance, true): 3, of(models.NeedsDecline, true): 1, of(models.NeedsSession, true): 4,
			of(models.NeedsPlace, false): 1,
			of(models.NeedsRoom, false):  6, of(models.NeedsLetter, true): 4, of(models.NeedsPeople, true): 10,
			of(models.NeedsPeople, false): 8,
		}
		if !maps.Equal(d.Needs, waits) {
			t.Errorf("got  %+v\nwant %+v", d.Needs, waits)
		}
		for waiting, want := range waits {
			filter := models.SessionFilter{Needs: waiting.Need, IsAbstract: &waiting.IsAbstract}
			_, found, err := f.Programme().SearchSessions(t.Context(), models.SessionSearch{Filter: filter})
			if err != nil || found.TotalResults != want {
				t.Errorf("%+v: %d rows, want %d, %v", waiting, found.TotalResults, want, err)
			}
		}
		if today := d.Created[59]; today.Day != "2026-11-21" || today.Count != 11 {
			t.Errorf("%+v", today)
		}
	})
}

func TestAbstractsAreCountedByTheDaysOfThePlace(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		for _, c := range []struct {
			zone, now string
			times     []string
			want      map[string]int64
		}{
			// The clock is put forward on 28 March 2027 and back on 25 October 2026.
			{"Europe/Brussels", "2027-03-30T10:00:00Z", []string{"2027-03-27T22:59:59.999Z", "2027-03-27T23:00:00Z",
				"2027-03-28T21:59:59.999Z", "2027-03-28T22:00:00Z"},
				map[string]int64{"2027-03-27": 1, "2027-03-28": 2, "2027-03-29": 1}},
			{"Europe/Brussels", "2026-10-27T10:00:00Z", []string{"2026-10-24T22:00:00Z", "2026-10-25T22:59:59.999Z",
				"2026-10-25T23:00:00Z"}, map[string]int64{"2026-10-25": 2, "2026-10-26": 1}},
			// In Cairo there is no midnight on 30 April 2027.
			{"Africa/Cairo", "2027-05-02T10:00:00Z", []string{"2027-04-29T21:59:59.999Z", "2027-04-29T22:00:00Z",
				"2027-04-30T20:59:59.999Z", "2027-04-30T21:00:00Z"},
				map[string]int64{"2027-04-29": 1, "2027-04-30": 2, "2027-05-01": 1}},
			{"Asia/Kathmandu", "2027-05-02T10:00:00Z", []string{"2027-05-01T18:14:59.999Z", "2027-05-01T18:15:00Z"},
				map[string]int64{"2027-05-01": 1, "2027-05-02": 1}},
		} {
			event := modelstest.Must(f.CreateEvent(t.Context(), models.NewEvent{Name: "E", Slug: "e" + store.NewID(),
				Timezone: c.zone}))(t)
			p, db := f.Store.Programme(event, modelstest.Tester), f.SQL
			for _, at := range c.times {
				s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "A", IsAbstract: true}))(t)
				created := modelstest.Must(store.ParseTime(at))(t).String()
				modelstest.Must(db.Exec("UPDATE sessions SET created_at = $1 WHERE id = $2", created, s.ID))(t)
			}
			d := modelstest.Must(desk.Of(p).Dashboard(t.Context(), modelstest.Must(store.ParseTime(c.now))(t)))(t)
			for i, day := range d.Created {
				if day.Count != c.want[day.Day] || (i > 0 && d.Created[i-1].Day >= day.Day) {
					t.Errorf("%s: %d on %s, want %d", c.zone, day.Count, day.Day, c.want[day.Day])
				}
			}
			if last := d.Created[len(d.Created)-1]; len(d.Created) != 60 || last.Day != c.now[:10] {
				t.Errorf("%d days to %s", len(d.Created), last.Day)
			}
		}
	})
}

func TestTheDaysBeginWithTheCallForPapers(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		now := store.At(f.Clock.Now())
		const day = 24 * time.Hour
		for _, c := range []struct {
			opened, closed  time.Duration // ago
			spans, together int
			first, last     string
		}{
			{-time.Hour, -day, 60, 1, "2026-09-23", "2026-11-21"},
			{time.Hour, -day, 1, 1, "2026-11-21", "2026-11-21"},
			{2 * day, -day, 3, 1, "2026-11-19", "2026-11-21"},
			{59 * day, -day, 60, 1, "2026-09-23", "2026-11-21"},
			{60 * day, -day, 9, 7, "2026-09-20", "2026-11-15"}, // 61 days: nine weeks that end today
			{90 * day, 80 * day, 11, 1, "2026-08-23", "2026-09-02"},
			{190 * day, 80 * day, 16, 7, "2026-05-14", "2026-08-27"},
			{2000 * day, -day, 60, 7, "2025-09-28", "2026-11-15"},
		} {
			event := modelstest.Must(f.Programme().UpdateEvent(t.Context(),
				models.EventChange{CFPOpensAt: store.Some(store.At(now.Add(-c.opened))),
					CFPClosesAt: store.Some(store.At(now.Add(-c.closed)))}))(t)
			d := modelstest.Must(desk.Of(f.Store.Programme(event, modelstest.Tester)).Dashboard(t.Context(), now))(t)
			first, last := d.Created[0], d.Created[len(d.Created)-1]
			if len(d.Created) != c.spans || first.Days != c.together || first.Day != c.first || last.Day != c.last {
				t.Errorf("opened %s ago: %d times %d days from %s to %s", c.opened, len(d.Created), first.Days, first.Day, last.Day)
			}
		}
	})
}

func TestTheDashboardCostsAtMostElevenStatements(t *testing.T) {
	modelstest.InTurn(t)
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.Fine(t, seed.Fill(t.Context(), f.Programme(), 300, 20))
		p := f.Programme()
		count := func() int {
			return len(f.Statement.During(func() {
				modelstest.Must(desk.Of(p).Dashboard(t.Context(), store.At(f.Clock.Now())))(t)
			}))
		}
		if first, again := count(), count(); first > 11 || again > 0 {
			t.Errorf("%d statements, then %d", first, again)
		}
		s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "A", IsAbstract: true}))(t)
		for _, title := range []string{"B", "C"} { // what stands in the sidebar is counted with the rest, and kept
			modelstest.Must(p.UpdateSession(t.Context(), s.ID, models.SessionChange{Title: &title}))(t)
			p = f.Programme()
			count()
			if kinds := len(f.Statement.During(func() { p.KindCounts(t.Context()) })); kinds > 0 {
				t.Errorf("the sessions of each kind cost %d statements", kinds)
			}
		}
	})
}

func TestTheDashboardIsCountedOnceUntilSomethingChanges(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := modelstest.Abstract(t, f.Programme(), "A", models.Accepted)
		ask := func() (d *desk.Dashboard, statements int) {
			p := f.Programme()
			statements = len(f.Statement.During(func() {
				d = modelstest.Must(desk.Of(p).Dashboard(t.Context(), store.At(f.Clock.Now())))(t)
			}))
			return d, statements
		}
		ask()
		if _, n := ask(); n != 0 {
			t.Errorf("the second time costs %d statements", n)
		}
		f.SetLetter(t, f.Event, s.ID, models.LetterSent)
		if d, _ := ask(); d.Needs[models.Waiting{Need: models.NeedsLetter, IsAbstract: true}] != 0 {
			t.Errorf("after a letter %+v", d.Needs)
		}
		c := modelstest.Must(f.Programme().CreateContact(t.Context(), models.NewContact{FirstName: "Ada"}))(t)
		modelstest.Must(f.Programme().SetParticipants(t.Context(), s.ID, []models.Participation{{ContactID: c.ID}}))(t)
		if d, _ := ask(); d.Needs[models.Waiting{Need: models.NeedsPeople, IsAbstract: true}] != 0 {
			t.Errorf("after a participant %+v", d.Needs)
		}
		modelstest.RowOf(t, f.Programme(), models.Tracks, "T")
		if d, _ := ask(); len(d.Tracks) != 1 {
			t.Errorf("after a track %+v", d.Tracks)
		}
		f.Clock.Move(24 * time.Hour)
		if d, _ := ask(); d.Created[59].Day != "2026-11-22" {
			t.Errorf("a day later %+v", d.Created[59])
		}
	})
}

func TestTheKeptDashboardIsTheOneCountedAnew(t *testing.T) {
	modelstest.InTurn(t)
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, ids := t.Context(), map[string]string{}
		create := func(name string, abstract bool) func(p *models.Programme) error {
			return func(p *models.Programme) error {
				s, err := p.CreateSession(ctx, models.NewSession{Title: name, IsAbstract: abstract,
					SessionInput: models.SessionInput{Status: new(models.Accepted)}})
				if err == nil {
					ids[name] = s.ID
				}
				return err
			}
		}
		update := func(name string, c models.SessionChange) func(p *models.Programme) error {
			return func(p *models.Programme) error { _, err := p.UpdateSession(ctx, ids[name], c); return err }
		}
		people := func(name string, contacts ...string) func(p *models.Programme) error {
			return func(p *models.Programme) error {
				all := store.Map(contacts, func(id string) models.Participation { return models.Participation{ContactID: id} })
				return modelstest.ErrorOf(p.SetParticipants(ctx, ids[name], all))
			}
		}
		contact := func(name string) string {
			return modelstest.Must(f.Programme().CreateContact(ctx, models.NewContact{FirstName: name}))(t).ID
		}
		ada, bob := contact("Ada"), contact("Bob")
		room := modelstest.RowOf(t, f.Programme(), models.Rooms, "R").ID
		start := models.SessionInput{StartsAt: store.Some(store.At(f.Clock.Now())), RoomID: store.Some(room)}
		speakers := []int64{}
		for _, step := range []struct {
			name string
			do   func(p *models.Programme) error
		}{
			{"an abstract", create("A", true)}, {"its speaker", people("A", ada)}, {"another", people("A", ada, bob)},
			{"a title", update("A", models.SessionChange{Title: new("B")})},
			{"a delete", func(p *models.Programme) error { _, err := p.DeleteSession(ctx, ids["A"]); return err }},
			{"a restore", func(p *models.Programme) error { _, err := p.RestoreSession(ctx, ids["A"]); return err }},
			{"a letter", func(p *models.Programme) error { return p.MarkTold(ctx, ids["A"], "", "By telephone") }},
			{"nobody", people("A")}, {"one again", people("A", bob)},
			{"a session", create("S", false)}, {"a second", create("T", false)},
			{"a place", update("S", models.SessionChange{SessionInput: start})},
			{"the same place", update("T", models.SessionChange{SessionInput: start})},
			{"a publication", update("S", models.SessionChange{IsPublic: new(true), PublishOverride: true})},
			{"a composition", func(p *models.Programme) error {
				return modelstest.ErrorOf(p.Compose(ctx, []string{ids["A"]}, ids["S"]))
			}},
			{"a withdrawal", update("A", models.SessionChange{SessionInput: models.SessionInput{
				Status: new(models.Withdrawn)}})},
			{"an unpublication", func(p *models.Programme) error { _, _, err := p.Unpublish(ctx, ids["S"]); return err }},
			{"a speaker of two", people("T", ada, bob)}, {"the room's end", func(p *models.Programme) error {
				return metadata.Of(p).Delete(ctx, models.Rooms, room, nil)
			}},
			{"an import", func(p *models.Programme) error {
				return modelstest.ErrorOf(arrival.Of(p).Import(ctx, modelstest.TwoTalks(t, "First", "Text"), arrival.Options{}))
			}},
			{"a seed", func(p *models.Programme) error { return seed.Fill(ctx, p, 20, 5) }},
		} {
			modelstest.Fine(t, step.do(f.Programme()))
			now := store.At(f.Clock.Now())
			p, replica := f.Programme(), modelstest.Replica(t, f).Programme()
			kept := modelstest.Must(desk.Of(p).Dashboard(ctx, now))(t)
			anew := modelstest.Must(desk.Of(replica).Dashboard(ctx, now))(t)
			if got, want := fmt.Sprintf("%+v", *kept), fmt.Sprintf("%+v", *anew); got != want {
				t.Errorf("after %s: kept\n%s\nanew\n%s", step.name, got, want)
			}
			abstracts, sessions, err := p.KindCounts(ctx)
			if err != nil || abstracts != anew.AbstractsTotal || sessions != anew.Sessions {
				t.Errorf("after %s: %d and %d kept, %v", step.name, abstracts, sessions, err)
			}
			of := modelstest.Must(p.SpeakerCount(ctx))(t)
			modelstest.Want(t, "speakers after "+step.name, of, modelstest.Must(replica.SpeakerCount(ctx))(t))
			speakers = append(speakers, of)
		}
		modelstest.Want(t, "speakers", fmt.Sprint(speakers[:19]), "[0 1 2 2 0 2 2 0 1 1 1 1 1 1 1 1 1 2 2]")
	})
}

func TestTheDashboardHasTheDaysOfThePlace(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		event := modelstest.Must(f.CreateEvent(ctx, models.NewEvent{Name: "E", Slug: "e", Timezone: "Europe/Brussels"}))(t)
		p := f.Store.Programme(event, modelstest.Tester)
		var tracks []string
		for _, name := range []string{"Ropes", "Nets"} {
			tracks = append(tracks, modelstest.RowOf(t, p, models.Tracks, name).ID)
		}
		room := modelstest.RowOf(t, p, models.Rooms, "R").ID
		place := func(p *models.Programme, at, track, room string, abstract bool) *models.Session {
			in := models.SessionInput{StartsAt: store.Some(modelstest.Must(store.ParseTime(at))(t))}
			in.EndsAt = store.Some(store.At(in.StartsAt.Value.Add(time.Hour)))
			if track != "" {
				in.TrackID = store.Some(track)
			}
			if room != "" {
				in.RoomID = store.Some(room)
			}
			return modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "S", IsAbstract: abstract,
				SessionInput: in}))(t)
		}
		// Summer begins on 28 March 2027: the days are 23 hours and 24.
		place(p, "2027-03-28T21:59:59.999Z", tracks[1], room, false)
		place(p, "2027-03-27T23:00:00Z", tracks[0], "", false)
		place(p, "2027-03-28T10:00:00Z", "", "", false)
		place(p, "2027-03-28T22:00:00Z", tracks[1], room, false)
		place(p, "2027-03-28T11:00:00Z", tracks[0], "", true) // an abstract
		gone := place(p, "2027-03-28T11:00:00Z", tracks[0], "", false)
		modelstest.Must(p.DeleteSession(ctx, gone.ID))(t)
		place(f.Elsewhere(), "2027-03-28T11:00:00Z", "", "", false)
		event = modelstest.Must(f.EventBy(ctx, event.ID))(t)
		d := modelstest.Must(desk.Of(f.Store.Programme(event, modelstest.Tester)).Dashboard(ctx, store.At(f.Clock.Now())))(t)
		share := func(track string, n int64) desk.TrackShare { return desk.TrackShare{TrackID: track, Sessions: n} }
		want := []desk.DayPlan{
			{Day: "2027-03-28", Sessions: 3, Tracks: []desk.TrackShare{share(tracks[0], 1), share(tracks[1], 1), share("", 1)}},
			{Day: "2027-03-29", Sessions: 1, Sharing: 2, Tracks: []desk.TrackShare{share(tracks[1], 1)}},
		}
		modelstest.Want(t, "days", fmt.Sprint(d.Days), fmt.Sprint(want))
	})
}

func TestTheDashboardNamesWhatItsListsShowFirst(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		for i := range 5 {
			for _, n := range []models.NewSession{
				{Title: fmt.Sprint("Wait ", i), IsAbstract: true,
					SessionInput: models.SessionInput{Status: new(models.AcceptQueue)}},
				{Title: fmt.Sprint("Told ", i), IsAbstract: true, SessionInput: models.SessionInput{Status: new(models.Accepted)}},
				{Title: fmt.Sprint("Unplaced ", i)},
			} {
				f.Clock.Move(time.Second)
				modelstest.Must(p.CreateSession(ctx, n))(t)
			}
		}
		modelstest.Abstract(t, f.Elsewhere(), "Theirs", models.AcceptQueue)
		d := modelstest.Must(desk.Of(f.Programme()).Dashboard(ctx, store.At(f.Clock.Now())))(t)
		for waiting := range d.Needs {
			rows, _, err := p.SearchSessions(ctx, models.SessionSearch{Page: store.Page{Number: 1, Size: 3},
				Filter: models.SessionFilter{Needs: waiting.Need, IsAbstract: &waiting.IsAbstract}})
			titles := store.Map(rows, func(s *models.Session) string { return s.Title })
			if err != nil || fmt.Sprint(d.Titles[waiting]) != fmt.Sprint(titles) || len(titles) != 3 {
				t.Errorf("%+v: %q, its list has %q, %v", waiting, d.Titles[waiting], titles, err)
			}
		}
		if len(d.Titles) != len(d.Needs) || len(d.Needs) < 5 {
			t.Errorf("%d named of %d", len(d.Titles), len(d.Needs))
		}
	})
}
