package modelstest

import (
	"testing"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/call"
	"lectern/models/embed"
	"lectern/models/letters"
	"lectern/models/people"
	"lectern/models/reviews"
	"lectern/models/store"
)

// everything adds rows to an event of the demonstration.
type everything struct {
	testing.TB
	f      *Fixture
	event  *models.Event
	p      *models.Programme
	people []*models.Person // at the event: three, and one who has two addresses
}

// Everything adds to an event of the demonstration, by operations, what it lacks, so that it has a row in every table
// that can have one.
func Everything(t testing.TB, f *Fixture, event *models.Event, by store.By) *models.Event {
	t.Helper()
	e := &everything{TB: t, f: f}
	e.event = Must(f.Store.Programme(event, by).UpdateEvent(t.Context(), models.EventChange{AsksApproval: new(true)}))(t)
	e.p = f.Store.Programme(e.event, by).Reaching(models.Everybody)
	e.knows()
	e.asks()
	e.proposes()
	e.speaks()
	e.tells()
	return Must(f.EventBy(t.Context(), event.ID))(t)
}

// place returns the place of somebody whose address is proven.
func (e *everything) place(who *models.Person) *call.Place {
	a := &call.Account{OrganizationID: e.event.OrganizationID, ContactID: who.ID, Name: who.FullName, Email: who.Email,
		EmailKey: store.Fold(who.Email), ConfirmedAt: new(store.At(e.f.Clock.Now()))}
	return call.PlaceOf(e.f.Store, &call.Login{Account: a}, store.By{Door: "call"})
}

// knows merges two people into one with both addresses, dismisses a pair of others, and gives one a tag.
func (e *everything) knows() {
	d := people.In(e.p.Directory())
	for _, name := range []string{"Ada", "Bo", "Cy", "Ida"} {
		e.people = append(e.people, Must(d.Create(e.Context(), Values("first_name", name, "last_name", "Everything",
			"email", name+".everything@example.org")))(e))
	}
	twin := Must(d.Create(e.Context(), Values("first_name", "Ida", "last_name", "Everything", "email", "ida@example.org")))(e)
	pair := people.MergePair{SurvivorID: e.people[3].ID, RemovedID: twin.ID, Keep: []string{"ida@example.org"}}
	if done := Must(d.Merge(e.Context(), []people.MergePair{pair}))(e); done[0].Reason != "" {
		e.Fatal(done[0].Reason)
	}
	Fine(e, d.DismissPair(e.Context(), e.people[0].ID, e.people[1].ID))
	tag := RowOf(e, e.p, models.Tags, "everything")
	Must(d.Update(e.Context(), e.people[0].ID, Values("tags", tag.ID)))(e)
}

// asks adds a code to the call, a blind review, own texts for letters, and an embed.
func (e *everything) asks() {
	ctx := e.Context()
	rounds := reviews.Of(e.p)
	questions := Must(rounds.Questions(ctx))(e)
	Fine(e, rounds.Identify(ctx, questions[:1]))
	text := Must(letters.Of(e.p).LetterTemplates(ctx))(e)[0]
	Fine(e, letters.Of(e.p).SaveLetterTemplate(ctx, text.Kind, text.Version, "{{event}} has decided", "Dear {{first_name}}, we have."))
	Must(letters.Of(e.p).SaveFreeTemplate(ctx, "", 0, "Thanks", "Thanks", "Dear {{first_name}}, thanks."))(e)
	tracks, _, err := e.p.ListMetadata(ctx, models.Tracks, "", store.Page{})
	Fine(e, err)
	shown := Must(embed.Of(e.p).Create(ctx, embed.Change{Name: new("All of one track"), Kind: new(embed.Gallery),
		Filters: embed.Filters{"track": {tracks[0].ID}}}))(e)
	shown.Asked(e.f.Store)
	Fine(e, e.f.KeepSeen(ctx))
}

// proposes adds a proposal by a code, a longer one, and two co-speakers who are asked, of whom one joins.
func (e *everything) proposes() {
	ctx, cfp := e.Context(), call.Of(e.p)
	ada, bo := e.people[0], e.people[1]
	Fine(e, cfp.Extend(ctx, ada.ID, new(store.At(e.f.Clock.Now().Add(72*time.Hour)))))
	code := Must(cfp.MakeCode(ctx, call.CodeInput{Note: "For one", MaxUses: new(2)}))(e)
	Must(e.place(bo).Begin(ctx, e.event, "By a code", code.Code))(e)
	begun := Must(e.place(ada).Begin(ctx, e.event, "Written late", ""))(e)
	for _, email := range []string{"dee@example.org", "eve@example.org"} {
		asked := Must(e.place(ada).InviteCoSpeaker(ctx, e.event, begun.ID, call.Asking{Email: email, Name: "Asked " + email[:3]}))(e)
		if email[0] == 'd' {
			Must(call.Join(ctx, e.f.Store, e.event, asked.ID, store.By{Door: "call"}))(e)
		}
	}
}

// speaks adds an answer on coming, and revisions of a session and of a person that wait.
func (e *everything) speaks() {
	ctx, who := e.Context(), models.Participation{ContactID: e.people[2].ID, Role: models.Speaking}
	accepted := Must(e.p.CreateSession(ctx, models.NewSession{Title: "Everything at once", IsAbstract: true}))(e)
	Must(e.p.SetParticipants(ctx, accepted.ID, []models.Participation{who}))(e)
	Must(e.p.UpdateSession(ctx, accepted.ID, models.SessionChange{SessionInput: models.SessionInput{
		Status: new(models.Accepted)}}))(e)
	pl := e.place(e.people[2])
	Fine(e, pl.AnswerParticipation(ctx, e.event, accepted.ID, call.Coming, "By boat"))
	session := Must(e.p.Compose(ctx, []string{accepted.ID}, ""))(e)
	Must(e.p.UpdateSession(ctx, session.ID, models.SessionChange{ContentState: new(models.ContentApproved)}))(e)
	if !Must(pl.SaveText(ctx, e.event, session.ID, models.Text{Title: "Everything, slowly", Description: "<p>More.</p>"}, ""))(e) {
		e.Error("the text does not wait")
	}
	if !Must(pl.SaveProfile(ctx, e.event, Values("about", "<p>Rows.</p>")))(e) ||
		!Must(pl.SetPhoto(ctx, e.event, models.Upload{Name: "me.png", Content: Picture(e, 300, 300)}))(e) {
		e.Error("the profile does not wait")
	}
}

// tells adds breaks, an agenda released twice with letters, and a single letter.
func (e *everything) tells() {
	ctx := e.Context()
	sessions, _, err := e.p.SearchSessions(ctx, models.SessionSearch{Filter: models.SessionFilter{IsPublic: new(true)}})
	Fine(e, err)
	day := Must(time.Parse(time.DateOnly, *e.event.StartsOn))(e).Add(12 * time.Hour)
	for _, room := range []*string{nil, sessions[0].RoomID} {
		Must(agenda.Of(e.p).AddBreak(ctx, models.NewBreak{Kind: models.Pause, Title: "Lunch", StartsAt: store.At(day),
			EndsAt: store.At(day.Add(time.Hour)), RoomID: room}))(e)
	}
	for _, title := range []string{"First", "Second"} {
		Must(e.p.UpdateSession(ctx, sessions[0].ID, models.SessionChange{Title: &title}))(e)
		Must(letters.Of(e.p).ReleaseAgenda(ctx, agenda.Release{Name: title, Note: "As it stands", Subject: "The agenda",
			Body: "Dear {{first_name}}, {{changes}}"}))(e)
		Must(e.p.UpdateSession(ctx, sessions[0].ID, models.SessionChange{SessionInput: models.SessionInput{
			StartsAt: store.Some(store.At(day.Add(3 * time.Hour))), EndsAt: store.Some(store.At(day.Add(4 * time.Hour)))}}))(e)
	}
	desk := letters.Of(e.p)
	m := Must(desk.StartMailing(ctx, e.p.Directory(), []string{e.people[0].ID, e.people[3].ID}))(e)
	Must(desk.SaveMailing(ctx, m.ID, 0, "A word", "Dear {{first_name}}"))(e)
	Must(desk.SendMailing(ctx, m.ID, 2))(e)
	e.f.Clock.Move(letters.Hold)
	for {
		sent := Must(e.f.ClaimLetter(ctx, "post.test"))(e)
		if sent == nil {
			break
		}
		Fine(e, e.f.EndLetter(ctx, sent, models.LetterEnd{State: models.LetterSent}))
	}
}
