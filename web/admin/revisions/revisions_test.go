package revisions_test

import (
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/revisions"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

// stage is an event that asks for approved content, with two sessions of Ada whose content is approved.
type stage struct {
	*admintest.Desk
	b          *admintest.Browser
	tides, ebb *models.Session
	ada        string
	place      *call.Place
}

func open(t *testing.T) *stage {
	t.Helper()
	d := admintest.OpenOn(t, "sqlite", visit.Options{Mail: admintest.Taken})
	s := &stage{Desk: d, b: d.As(staff.Organizer)}
	d.Event = modelstest.Must(d.Programme().UpdateEvent(t.Context(), models.EventChange{AsksApproval: new(true)}))(t)
	approved := func(title string) *models.Session {
		made := d.Session(models.NewSession{Title: title, SessionInput: models.SessionInput{Description: new("<p>One two three.</p>")}})
		return modelstest.Must(d.Programme().UpdateSession(t.Context(), made.ID, models.SessionChange{ContentState: new(models.ContentApproved)}))(t)
	}
	s.tides, s.ebb = approved("Tides"), approved("Ebb")
	s.ada = d.Speaker(t, d.Event, s.tides.ID, models.NewContact{FirstName: "Ada", Email: "ada@x.org"})
	d.Join(t, d.Event, s.ebb.ID, s.ada, models.Speaking)
	a := &call.Account{OrganizationID: d.Event.OrganizationID, ContactID: s.ada, Name: "Ada", ConfirmedAt: new(store.At(d.Clock.Now()))}
	s.place = call.PlaceOf(d.Store, &call.Login{Account: a}, store.By{Door: "call"})
	return s
}

// writes changes a text as Ada.
func (s *stage) writes(of *models.Session, title, description string) *revisions.Waiting {
	s.T.Helper()
	waits := modelstest.Must(s.place.SaveText(s.T.Context(), s.Event, of.ID, models.Text{Title: title, Description: description}, ""))(s.T)
	if !waits {
		s.T.Fatal("it does not wait")
	}
	return modelstest.Must(revisions.Of(s.Programme()).OfSession(s.T.Context(), of.ID))(s.T)
}

func (s *stage) wantTitle(of *models.Session, title string) {
	s.T.Helper()
	modelstest.Want(s.T, "it is called", s.Read(of.ID).Title, title)
}

func TestRevisionsAreAcceptedAndRefusedOneByOne(t *testing.T) {
	s := open(t)
	admintest.Wants(t, s.b.Get(s.At("/revisions"), 200), "Nothing waits")
	admintest.Lacks(t, s.b.Get(s.At("/sessions/"+s.tides.ID), 200), "waits for you")
	w, other := s.writes(s.tides, "Tides <1>", "<p>One four three.</p>"), s.writes(s.ebb, "Flow", "<p>One two three.</p>")
	admintest.Wants(t, s.b.Get(s.At(""), 200), "changes of approved content wait for you")
	admintest.Wants(t, s.b.Get(s.At("/sessions/"+s.tides.ID), 200), "waits for you", "/revisions/"+w.ID)
	admintest.Wants(t, s.b.Get(s.At("/revisions"), 200), "Tides", "Ebb", "Ada", "S-1", `value="`+w.ID+` `+w.Token()+`"`)
	at := s.At("/revisions/" + w.ID)
	admintest.Wants(t, s.b.Get(at, 200), "Tides", "&lt;1&gt;", ">two<", ">four<", `data-key="a"`, `rel="next"`)
	form := admintest.Fill(s.b.Hidden("seen"), "do", "accept", "words", "Very good.")
	to, _ := s.b.Post(at, form, 303)
	modelstest.Want(t, "it leads to", to, s.At("/revisions/"+other.ID))
	admintest.Wants(t, s.b.Get(to, 200), "The change of “Tides” is accepted. Ada gets a mail.", "Flow")
	s.wantTitle(s.tides, "Tides <1>")
	admintest.Wants(t, s.b.Get(s.At("/sessions/"+s.tides.ID), 200), "accepted a change of it", "asks to change it",
		"title, description")

	s.writes(s.ebb, "Flood", "<p>One two three.</p>")
	form = url.Values{"do": {"refuse"}, "seen": {other.Token()}, "words": {"No."}}
	admintest.Wants(t, s.b.Answer(to, form, 409), "so nothing was decided", "Flood", ">No.</textarea>")
	form = admintest.Fill(s.b.Hidden("seen"), "do", "refuse", "words", strings.Repeat("x", 5000))
	admintest.Wants(t, s.b.Answer(to, form, 422), "words-fault")
	form.Set("words", "")
	admintest.Wants(t, s.b.Follow(s.b.Post(to, form, 303)), "Nothing waits", "is refused")
	s.wantTitle(s.ebb, "Ebb")
	s.b.Get(at, 404)
}

func TestTickedRevisionsAreDecidedTogether(t *testing.T) {
	s := open(t)
	w, other := s.writes(s.tides, "Tides 2", ""), s.writes(s.ebb, "Ebb 2", "")
	s.b.Get(s.At("/revisions"), 200)
	form := url.Values{"do": {"accept"}, "id": {w.ID, other.ID}, "seen": {w.ID + " " + w.Token(), other.ID + " " + other.Token()}}
	s.writes(s.ebb, "Ebb 3", "")
	admintest.Wants(t, s.b.Follow(s.b.Post(s.At("/revisions"), form, 303)), "1 change is accepted.", "made anew", "Ebb")
	s.wantTitle(s.tides, "Tides 2")
	s.wantTitle(s.ebb, "Ebb")
	to, _ := s.b.Post(s.At("/revisions"), url.Values{"do": {"accept"}}, 303)
	admintest.Wants(t, s.b.Get(to, 200), "Tick what you want to decide first.")
	form = url.Values{"do": {"refuse"}, "id": {other.ID}, "words": {strings.Repeat("x", 5000)}}
	admintest.Wants(t, s.b.Answer(s.At("/revisions"), form, 422), "words-fault", "checked")
}

func TestAPhotoThatWaitsIsShownToWhoOrganizes(t *testing.T) {
	s := open(t)
	modelstest.Must(s.place.SetPhoto(t.Context(), s.Event,
		models.Upload{Name: "me.png", Content: modelstest.Picture(t, 9, 9)}))(t)
	w := modelstest.Must(revisions.Of(s.Programme()).OfPerson(t.Context(), s.ada))(t)
	at := s.At("/revisions/" + w.ID)
	admintest.Wants(t, s.b.Get(s.At("/speakers/"+s.ada), 200), "waits for you")
	admintest.Wants(t, s.b.Get(at, 200), "Ada", "Profile", `src="`+at+`/photo"`, "New")
	s.b.Get(at+"/photo", 200)
	form := admintest.Fill(s.b.Hidden("seen"), "do", "accept")
	s.b.Post(at, form, 303)
	if now := modelstest.Must(s.Programme().Contact(t.Context(), s.ada))(t); now.PhotoPath() == "" {
		t.Error("there is no photo")
	}
	s.b.Get(at+"/photo", 404)
}
