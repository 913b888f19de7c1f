package demo_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/call"
	"lectern/models/demo"
	"lectern/models/desk"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/models/tasks"
)

// house is a demonstration.
type house struct {
	*testing.T
	*modelstest.Fixture
	made              *demo.Made
	this, last, small *models.Programme
}

func open(t *testing.T, f *modelstest.Fixture) *house {
	t.Helper()
	ctx := t.Context()
	made := modelstest.Must(demo.Fill(ctx, f.Store, demo.Options{Password: modelstest.SecretPhrase,
		Receiver: "http://127.0.0.1:9/hook"}))(t)
	events := modelstest.Must(f.Store.EventsFor(ctx, made.Staff.Owner))(t)
	h := &house{T: t, Fixture: f, made: made, this: f.Store.Programme(made.Event, modelstest.Tester)}
	for _, e := range events {
		if strings.HasPrefix(e.Name, "Tideline") && e.ID != made.Event.ID {
			h.last = f.Store.Programme(e, modelstest.Tester)
		} else if e.ID != made.Event.ID {
			h.small = f.Store.Programme(e, modelstest.Tester)
		}
	}
	return h
}

func (h *house) all(p *models.Programme, isAbstract bool) (all []*models.Session) {
	h.Helper()
	search := models.SessionSearch{Filter: models.SessionFilter{IsAbstract: &isAbstract}}
	modelstest.Fine(h.T, p.EachSession(h.Context(), search, func(some []*models.Session) error {
		all = append(all, some...)
		return nil
	}))
	return all
}

func (h *house) count(p *models.Programme, filter models.SessionFilter) int64 {
	h.Helper()
	_, pagination, err := p.SearchSessions(h.Context(), models.SessionSearch{Filter: filter})
	modelstest.Fine(h.T, err)
	return pagination.TotalResults
}

func TestDemonstrationHas(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		h := open(t, f)
		t.Run("a call in all its states", h.callInAllStates)
		t.Run("a call that fills in its last week", h.lastWeeksRush)
		t.Run("places and collisions", h.placesAndCollisions)
		t.Run("last year published and over", h.lastYearIsOver)
		t.Run("staff, keys, views and a history", h.houseIsLivedIn)
		t.Run("a board of whom one would like to hear", h.sourcingHasAWay)
		t.Run("tasks of speakers in their states", h.speakersDeliver)
		t.Run("an open call with proposals and drafts", h.openCallIsAnswered)
		t.Run("the changes of the last hour to deliver", h.lastHourIsDelivered)
	})
}

func (h *house) speakersDeliver(t *testing.T) {
	b := modelstest.Must(tasks.Of(h.this).Board(t.Context()))(t)
	states, kinds := map[tasks.State]int{}, map[tasks.Kind]int{}
	for _, d := range b.Only(tasks.Wanted{}) {
		states[d.State]++
		kinds[d.Task.Kind]++
	}
	if states[tasks.Changes] == 0 || states[tasks.Approved] == 0 || states[tasks.Done] < 4 || states[tasks.Open] < 10 || len(kinds) != 4 {
		t.Errorf("tasks are %v, of kinds %v", states, kinds)
	}
}

func (h *house) callInAllStates(t *testing.T) {
	abstract, low, high := true, models.Score(250), models.Score(450)
	for _, status := range models.Statuses {
		if h.count(h.this, models.SessionFilter{IsAbstract: &abstract, Statuses: []models.Status{status}}) < 3 {
			t.Errorf("hardly any submission is %s", status)
		}
	}
	if h.count(h.this, models.SessionFilter{ScoreFrom: &high}) == 0 ||
		h.count(h.this, models.SessionFilter{ScoreBelow: &low}) == 0 {
		t.Error("no submission has a high score, or none a low one")
	}
	if h.count(h.this, models.SessionFilter{Text: "harbour", IsAbstract: &abstract}) == 0 {
		t.Error("the search that the demonstration proposes finds nothing")
	}
	submissions := h.all(h.this, true)
	if len(submissions) < 60 || len(submissions) > 100 {
		t.Errorf("%d submissions", len(submissions))
	}
	tracks, reviews, answers, longest, together := map[string]int{}, map[int]int{}, 0, 0, 0
	for _, s := range submissions {
		tracks[s.Track.Name]++
		reviews[s.Reviews]++
		answers += len(s.CustomFields)
		longest = max(longest, len([]rune(s.Title)))
		if len(s.Participants) > 1 {
			together++
		}
		if s.Status != models.Draft && s.Description == "" || strings.Contains(s.Description, "<script") ||
			strings.Contains(strings.ToLower(s.Description), "lorem") {
			t.Errorf("%s reads %q", s.FriendlyID, s.Description)
		}
	}
	var sizes []int
	for _, n := range tracks {
		sizes = append(sizes, n)
	}
	if len(tracks) != 6 || slices.Max(sizes) < 2*slices.Min(sizes) {
		t.Errorf("the tracks are even: %v", tracks)
	}
	if reviews[0] == 0 || reviews[1] == 0 || reviews[2] == 0 || reviews[3] == 0 || reviews[4] == 0 {
		t.Errorf("submissions by their number of reviews: %v", reviews)
	}
	if longest != store.MaxTitle || answers == 0 || together < 3 {
		t.Errorf("longest title %d, %d answers, %d by several people", longest, answers, together)
	}
	h.hasScripts(submissions)
}

// hasScripts checks that there are people and titles in several scripts.
func (h *house) hasScripts(submissions []*models.Session) {
	speakers, _, err := h.this.Speakers(h.Context(), "", store.Page{Size: 100})
	modelstest.Fine(h.T, err)
	names, withoutAddress := map[string]int{}, 0
	text := ""
	for _, s := range speakers {
		names[s.FullName]++
		text += s.FullName
		if s.Email == "" {
			withoutAddress++
		}
	}
	if names["Wei Zhang"] != 2 || withoutAddress != 1 {
		h.Errorf("%d are called Wei Zhang, %d have no address", names["Wei Zhang"], withoutAddress)
	}
	for _, s := range submissions {
		text += s.Title
	}
	for _, sample := range []string{"è", "ø", "ś", "ầ", "Я", "і", "山", "김", "ح", "ל"} {
		if !strings.Contains(text, sample) {
			h.Errorf("nobody and nothing is written with %s", sample)
		}
	}
}

func (h *house) lastWeeksRush(t *testing.T) {
	closes := h.made.Event.CFPClosesAt
	early, late, total := 0, 0, 0
	for _, s := range h.all(h.this, true) {
		if s.CreatedAt.Before(h.made.Event.CFPOpensAt.Time) || s.CreatedAt.After(closes.Time) {
			t.Errorf("%s came in at %s, outside of the call", s.FriendlyID, s.CreatedAt)
		}
		total++
		switch before := closes.Sub(s.CreatedAt.Time); {
		case before < 7*24*time.Hour:
			late++
		case before > 21*24*time.Hour:
			early++
		}
	}
	if late*2 < total || early == 0 || early*3 > total {
		t.Errorf("of %d submissions, %d came in the last week and %d in the first four", total, late, early)
	}
}

func (h *house) placesAndCollisions(t *testing.T) {
	overMidnight, unplaced, public, roles, pairs := 0, 0, 0, map[string]int{}, 0
	twice := map[string]int{} // how often somebody, or a room, is taken twice
	sessions := h.all(h.this, false)
	for i, s := range sessions {
		roles[s.CompositionStatus.Role]++
		if s.CompositionStatus.SourceCount == 2 {
			pairs++
		}
		if s.IsPublic {
			public++
		}
		if s.StartsAt == nil {
			unplaced++
			continue
		}
		zone := h.made.Event.Location()
		if s.EndsAt.In(zone).Day() != s.StartsAt.In(zone).Day() {
			overMidnight++
		}
		for _, other := range sessions[:i] {
			if other.StartsAt == nil || !other.StartsAt.Before(s.EndsAt.Time) || !s.StartsAt.Before(other.EndsAt.Time) {
				continue
			}
			if *other.RoomID == *s.RoomID {
				twice["room"]++
			}
			for _, a := range s.Participants {
				if slices.ContainsFunc(other.Participants, func(b *models.Participant) bool { return a.ContactID == b.ContactID }) {
					twice["person"]++
				}
			}
		}
	}
	if overMidnight != 1 || unplaced < 4 || public < 6 || public == len(sessions) || pairs != 1 || roles["target"] < 20 {
		t.Errorf("over midnight %d, not placed %d, public %d of %d, of two abstracts %d, %v", overMidnight, unplaced,
			public, len(sessions), pairs, roles)
	}
	if twice["room"] != 1 || twice["person"] != 1 {
		t.Errorf("taken twice: %v", twice)
	}
	if n := h.count(h.this, models.SessionFilter{IncludeDeleted: true}) - h.count(h.this, models.SessionFilter{}); n < 1 {
		t.Error("nothing is in the trash")
	}
}

func (h *house) lastYearIsOver(t *testing.T) {
	e, now := h.last.Event(), h.Clock.Now()
	if e.Timezone == h.made.Event.Timezone || *e.EndsOn >= now.Format(time.DateOnly) ||
		*h.made.Event.StartsOn <= now.Format(time.DateOnly) {
		t.Errorf("%+v and %+v", e, h.made.Event)
	}
	sessions := h.all(h.last, false)
	for _, s := range sessions {
		if !s.IsPublic || s.RoomID == nil || s.StartsAt == nil || s.StartsAt.After(now) {
			t.Errorf("%s %q is not published, or has no place", s.FriendlyID, s.Title)
		}
	}
	if len(sessions) < 25 {
		t.Errorf("%d sessions", len(sessions))
	}
	here := modelstest.First(h.this.Speakers(t.Context(), "Anjali Rao", store.Page{}))(t)
	there, _, err := h.last.Speakers(t.Context(), "Anjali Rao", store.Page{})
	if err != nil || len(here) != 1 || len(there) != 1 || here[0].ID != there[0].ID {
		t.Errorf("who speaks in both years is not one person: %v, %v, %v", here, there, err)
	}
}

func (h *house) houseIsLivedIn(t *testing.T) {
	ctx := t.Context()
	organization := h.Store.Organization(h.made.Event.OrganizationID, modelstest.Tester)
	roles, one := map[staff.Role]int{}, 0
	for _, u := range modelstest.Must(h.Staff.Team(organization).Members(ctx))(t) {
		roles[u.Role]++
		if !u.Everywhere {
			one++
		}
	}
	if len(roles) != len(staff.Roles) || one != 1 {
		t.Errorf("the staff are %v, %d of one event alone", roles, one)
	}
	modelstest.Want(t, "invitations", len(modelstest.Must(h.Staff.Team(organization).Invitations(ctx))(t)), 1)
	states := map[string]bool{}
	for _, key := range modelstest.Must(apikey.Of(h.this).All(ctx))(t) {
		states[fmt.Sprintf("%s %t %t", key.State(h.Clock.Now()), key.ExpiresSoon(h.Clock.Now()),
			key.LastUsedAt != nil)] = true
	}
	for _, want := range []string{"active false true", "active true true", "active false false", "expired false false",
		"revoked false false"} {
		if !states[want] {
			t.Errorf("no key is %s: %v", want, states)
		}
	}
	if n := len(modelstest.Must(desk.Of(h.this).SavedViews(ctx, h.made.Staff.Viewer.ID, "submissions"))(t)); n == 0 {
		t.Error("no view is shared")
	}
	lines := modelstest.First(desk.Of(h.this).ActivityLog(ctx, desk.ActivityFilter{}, store.Page{Size: 100}))(t)
	actors := map[string]bool{}
	for i, line := range lines {
		actors[line.Actor] = true
		if line.At.After(h.Clock.Now()) || i > 0 && line.At.After(lines[i-1].At.Time) {
			t.Errorf("%s stands behind what came later, or in the future", line.At)
		}
	}
	if len(actors) < 2 {
		t.Errorf("the last changes are by %v", actors)
	}
}

// sourcingHasAWay checks the board: somebody on each stage, one who is won and can be invited, and one who was invited.
func (h *house) sourcingHasAWay(t *testing.T) {
	invited, invitable, noted := 0, 0, 0
	for _, column := range modelstest.Must(people.Of(h.this).Board(t.Context(), people.BoardSearch{Limit: 50}))(t) {
		if column.Total == 0 {
			t.Errorf("nobody is in %s", column.Name)
		}
		for _, card := range column.Cards {
			if card.Note != nil {
				noted++
			}
			if column.Kind == people.StageWon && card.Status == models.Invited {
				invited++
			} else if column.Kind == people.StageWon {
				invitable++
			}
		}
	}
	if invited == 0 || invitable == 0 || noted < 8 {
		t.Errorf("%d are invited, %d can be, %d cards have a note", invited, invitable, noted)
	}
	modelstest.Want(t, "last year's board has this year's cards",
		modelstest.Must(people.Of(h.last).Board(t.Context(), people.BoardSearch{Limit: 50}))(t)[0].Total, 0)
}

// openCallIsAnswered checks what came in to the open call: complete submissions in the form's own words, drafts, a
// withdrawn one, files, and answers that staff filled in.
func (h *house) openCallIsAnswered(t *testing.T) {
	ctx, cfp := t.Context(), call.Of(h.small)
	statuses, files, unconfirmed, answers := map[models.Status]int{}, 0, 0, map[string]int{}
	for _, s := range h.all(h.small, true) {
		statuses[s.Status]++
		p, r := modelstest.Must(cfp.Proposal(ctx, s.ID))(t), modelstest.Must(cfp.Record(ctx, s))(t)
		if missing := p.Unfinished(); s.Status == models.Pending && len(missing) > 0 {
			t.Errorf("%s is submitted, and %v", s.FriendlyID, missing)
		}
		if r.BeganBy == "" || r.BeganBy != s.Participants[0].ContactID || (s.Status == models.Draft) != (r.SubmittedAt == nil) {
			t.Errorf("%s was begun by %q and submitted %v", s.FriendlyID, r.BeganByName, r.SubmittedAt)
		}
		files += len(r.Files)
		if r.Access[r.BeganBy] == call.ByTyping {
			unconfirmed++
		}
		for _, a := range s.CustomFields {
			answers[a.Key]++
			if p.Form.Question(a.Key) == nil {
				t.Errorf("%s answers %s, which nobody asks", s.FriendlyID, a.Key)
			}
		}
	}
	if statuses[models.Pending] != 6 || statuses[models.Draft] != 3 || statuses[models.Withdrawn] != 1 || len(statuses) != 3 {
		t.Errorf("they are %v", statuses)
	}
	if files < 2 || unconfirmed < 2 || len(answers) < 5 {
		t.Errorf("%d files, %d addresses that nobody confirmed, answers %v", files, unconfirmed, answers)
	}
}

func (h *house) lastHourIsDelivered(t *testing.T) {
	ctx := t.Context()
	types, total := map[outbox.EmissionType]int{}, 0
	endpoint := ""
	for n := 1; n > 0; {
		n = modelstest.Must(h.Outbox.FanOut(ctx, false, 100))(t)
	}
	for _, e := range modelstest.Must(h.Outbox.Webhooks(h.Store.Organization(h.made.Event.OrganizationID,
		modelstest.Tester)).Endpoints(ctx))(t) {
		if e.IsActive {
			endpoint = e.ID
		}
	}
	var done *outbox.Delivery
	for {
		round := modelstest.Must(h.NextRound(ctx, endpoint, "", done))(t)
		if round == nil {
			break
		}
		done, total = round.Delivery, total+1
		done.Outcome = outbox.Success
		types[done.EventType]++
	}
	for _, kind := range []outbox.EmissionType{outbox.SessionCreated, outbox.SessionUpdated, outbox.SessionDeleted,
		outbox.SessionPublished, outbox.DecisionCommitted} {
		if types[kind] == 0 {
			t.Errorf("no %s is delivered: %v", kind, types)
		}
	}
	if total < 15 || total > 60 {
		t.Errorf("%d deliveries", total)
	}
}

func TestDemonstrationIsTheSameOnOneDay(t *testing.T) {
	t.Parallel()
	var told [][]string
	for range 2 {
		f := modelstest.Open(t, "sqlite")
		h := open(t, f)
		var lines []string
		for _, p := range []*models.Programme{h.this, h.last, h.small} {
			for _, s := range append(h.all(p, true), h.all(p, false)...) {
				lines = append(lines, fmt.Sprint(p.Event().Slug, s.FriendlyID, s.Title, s.Status, s.CreatedAt, s.StartsAt, s.Score))
			}
		}
		slices.Sort(lines)
		told = append(told, lines)
	}
	if a, b := told[0], told[1]; !slices.Equal(a, b) {
		t.Errorf("two demonstrations of one day differ: %q, then %q, %d and %d rows", modelstest.FirstOther(a, b),
			modelstest.FirstOther(b, a), len(a), len(b))
	}
}
