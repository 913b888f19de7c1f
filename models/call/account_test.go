package call_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/people"
	"lectern/models/store"
)

// stranger is a person who started a proposal, with an unconfirmed account and a login.
type stranger struct {
	ways
	contact *models.Contact
	account *call.Account
	session *models.Session
	login   string // token
	link    string // of the mail
}

// begins starts a proposal for a person.
func begins(t *testing.T, f *modelstest.Fixture, name, email, password string) *stranger {
	t.Helper()
	ctx, s := t.Context(), &stranger{ways: waysOn(t, f)}
	hash := modelstest.Must(call.HashPassword(ctx, f.Store, password, email, name))(t)
	first, last := models.SplitName(name)
	s.session = modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "Of " + name,
		IsAbstract: true}))(t)
	s.contact = modelstest.Must(f.Programme().CreateContact(ctx, models.NewContact{FirstName: first, LastName: last}))(t)
	f.Join(t, f.Event, s.session.ID, s.contact.ID, models.Speaking)
	modelstest.Fine(t, f.Write(ctx, func(tx *store.Tx) (err error) {
		if s.account, err = call.NewAccount(tx, s.contact, email, hash); err != nil {
			return err
		}
		if s.login, _, err = call.MakeLogin(tx, s.account, call.Browser{Address: "192.0.2.1", Agent: "Browser/1"}); err != nil {
			return err
		}
		s.link, err = call.NewLink(tx, call.LinkTo{OrganizationID: f.Event.OrganizationID, AccountID: s.account.ID})
		return err
	}))
	return s
}

// opens opens a link in a browser that is signed in with a token, or in a new one for "".
func opens(t *testing.T, f *modelstest.Fixture, link, login string) *call.Opened {
	t.Helper()
	var own *call.Login
	if login != "" {
		own = modelstest.Must(call.LoginBy(t.Context(), f.Store, login))(t)
	}
	return modelstest.Must(call.OpenLink(t.Context(), f.Store, f.Event.OrganizationID, link, call.Browser{}, own))(t)
}

func signIn(t *testing.T, f *modelstest.Fixture, email, password string) (string, error) {
	t.Helper()
	token, _, err := call.SignIn(t.Context(), f.Store, f.Event.OrganizationID, call.Attempt{Email: email,
		Password: password})
	return token, err
}

func TestALinkProvesTheAddressOfSomebodyNew(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.ForeignOwner(t, f)
		ingrid := begins(t, f, "Ingrid Sørlie", "Ingrid@sorlie.example", modelstest.SecretPhrase)
		before := modelstest.Must(f.Programme().Contact(t.Context(), ingrid.contact.ID))(t)
		modelstest.Want(t, "before it is proven, staff see", before.Email, "")
		modelstest.Emitted(t, f)
		done := opens(t, f, ingrid.link, ingrid.login)
		modelstest.Holds(t, done.Token == "" && done.IsNew && !done.Dropped, "opening in the same browser: %+v", done)
		after := modelstest.Must(f.Programme().Contact(t.Context(), ingrid.contact.ID))(t)
		modelstest.Holds(t, after.Email == "Ingrid@sorlie.example" && ingrid.came(ingrid.login) == ingrid.contact.ID,
			"the contact is %+v", after)
		modelstest.WantAll(t, "it emits", modelstest.EmittedTypes(t, f), nil)
		// The password that was set by who now opened the link stays; the link opens again, elsewhere too.
		modelstest.Must(signIn(t, f, "ingrid@SORLIE.example", modelstest.SecretPhrase))(t)
		again := opens(t, f, ingrid.link, "")
		modelstest.Holds(t, again.Token != "" && !again.IsNew && again.Account.ID == ingrid.account.ID &&
			ingrid.came(again.Token) == ingrid.contact.ID, "opening again: %+v", again)
		f.Clock.Move(call.LinkLifetime)
		_, err := call.OpenLink(t.Context(), f.Store, f.Event.OrganizationID, ingrid.link, call.Browser{}, nil)
		modelstest.WantKind(t, "a link that is too old", err, store.NotFound)
	})
}

func TestWhoTypesAnAddressOfSomebodyKnownTakesNothingOver(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		talk := modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "Known", IsAbstract: true}))(t)
		ada := f.Speaker(t, f.Event, talk.ID, models.NewContact{Email: "ada@example.org", FirstName: "Ada",
			CompanyName: "Engines"})
		mallory := begins(t, f, "Ada Lovelace", "ADA@example.org", modelstest.SecretPhrase)
		token := modelstest.Must(signIn(t, f, "ada@example.org", modelstest.SecretPhrase))(t)
		modelstest.Want(t, "an account that is not confirmed opens its own,", mallory.came(token), mallory.contact.ID)
		done := opens(t, f, mallory.link, "") // Ada herself opens it, in a browser of hers
		modelstest.Holds(t, done.IsNew && done.Dropped && mallory.came(done.Token) == ada, "it comes to %+v", done)
		modelstest.Holds(t, mallory.came(token) == "" && mallory.came(mallory.login) == "",
			"who only typed the address is in still")
		modelstest.Answers(signIn(t, f, "ada@example.org", modelstest.SecretPhrase))(t, "their password", store.Unauthorized)
		both := modelstest.Must(f.Programme().Contact(ctx, ada))(t)
		if both.FullName != "Ada" || both.LastName != "" && both.LastName != "Lovelace" || both.CompanyName != "Engines" {
			t.Errorf("the survivor is %+v", both)
		}
		modelstest.Answers(f.Programme().Contact(ctx, mallory.contact.ID))(t, "who was merged", store.NotFound)
		last := modelstest.Emitted(t, f)
		e := last[len(last)-1]
		modelstest.Holds(t, e.Type == outbox.ContactMerged && e.ResourceID == ada &&
			strings.Contains(e.Data, mallory.contact.ID), "the last emission is %+v", e)
		// Where somebody is in who began with an address of hers, any link that was mailed to her proves it.
		third := begins(t, f, "Ada", "ada@example.org", "")
		f.Clock.Move(call.LinkPause)
		mailed := modelstest.Must(call.MintLink(ctx, f.Store, f.Event, "ada@example.org"))(t)
		modelstest.Want(t, "it opens another account", opens(t, f, mailed, third.login).Account.ID, done.Account.ID)
		modelstest.Answers(f.Programme().Contact(ctx, third.contact.ID))(t, "who began in that browser", store.NotFound)
		// The next proposal of the same person joins the account that is confirmed.
		second := begins(t, f, "Ada", "ada@example.org", "another long phrase")
		joined := opens(t, f, second.link, second.login)
		modelstest.Holds(t, joined.Account.ID == done.Account.ID && mallory.came(joined.Token) == ada && joined.Dropped,
			"the second comes to %+v", joined)
		modelstest.Want(t, "its link opens another account the second time",
			opens(t, f, second.link, "").Account.ID, done.Account.ID)
	})
}

func TestAMergeByStaffEndsAccountsWithoutAProof(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		directory := f.Store.Directory(f.Event.OrganizationID, store.By{Door: "admin"})
		for _, survivesNew := range []bool{true, false} {
			known := modelstest.Must(f.Programme().CreateContact(ctx, models.NewContact{FirstName: "Known"}))(t)
			mallory := begins(t, f, "Known", "mallory@example.org", modelstest.SecretPhrase)
			pair := people.MergePair{SurvivorID: known.ID, RemovedID: mallory.contact.ID}
			if survivesNew {
				pair.SurvivorID, pair.RemovedID = pair.RemovedID, pair.SurvivorID
			}
			modelstest.Must(people.In(directory).Merge(ctx, []people.MergePair{pair}))(t)
			modelstest.Want(t, fmt.Sprintf("survivor new %t: the login opens what was known before", survivesNew),
				mallory.came(mallory.login), "")
			_, err := signIn(t, f, "mallory@example.org", modelstest.SecretPhrase)
			modelstest.WantKind(t, "the password", err, store.Unauthorized)
			_, err = call.OpenLink(ctx, f.Store, f.Event.OrganizationID, mallory.link, call.Browser{}, nil)
			modelstest.WantKind(t, "the link", err, store.NotFound)
		}
		// What was proven stays where staff tick it, with whoever they are now.
		ingrid := begins(t, f, "Ingrid", "ingrid@sorlie.example", modelstest.SecretPhrase)
		opens(t, f, ingrid.link, ingrid.login)
		other := modelstest.Contact(t, f.Programme(), "Ingrid", "other@example.org")
		modelstest.Must(people.In(directory).Merge(ctx, []people.MergePair{{SurvivorID: other.ID,
			RemovedID: ingrid.contact.ID, Keep: []string{"Ingrid@sorlie.example"}}}))(t)
		modelstest.Want(t, "the account is lost with the merge", ingrid.came(ingrid.login), other.ID)
		modelstest.Fine(t, people.In(directory).Erase(ctx, other.ID))
		modelstest.Want(t, "who was erased has a place still", ingrid.came(ingrid.login), "")
	})
}

func TestLinksThatStaffCopy(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, cfp := t.Context(), call.Of(f.Programme())
		known := modelstest.Contact(t, f.Programme(), "Ada", "ada@example.org")
		nameless := modelstest.Must(f.Programme().CreateContact(ctx, models.NewContact{FirstName: "No address"}))(t)
		elsewhere := modelstest.Contact(t, f.Elsewhere(), "Elsewhere", "e@example.org")
		modelstest.Answers(cfp.PlaceLink(ctx, nameless.ID))(t, "without an address", store.Invalid)
		modelstest.Answers(cfp.PlaceLink(ctx, elsewhere.ID))(t, "of another event", store.NotFound)
		mallory := begins(t, f, "Mallory", "mallory@example.org", modelstest.SecretPhrase)
		link := modelstest.Must(cfp.PlaceLink(ctx, known.ID))(t)
		first := opens(t, f, link, mallory.login)
		modelstest.Holds(t, first.Token != "" && mallory.came(first.Token) == known.ID && !first.Account.IsConfirmed() &&
			!first.IsNew, "it opens %+v, and proves an address that nobody read", first)
		again := opens(t, f, modelstest.Must(cfp.PlaceLink(ctx, known.ID))(t), "")
		modelstest.Holds(t, again.Account.ID == first.Account.ID && !again.Account.IsConfirmed() &&
			mallory.came(first.Token) != "", "another one opens %+v", again)
		_, err := call.OpenLink(ctx, f.Store, f.Event.OrganizationID, link, call.Browser{}, nil)
		modelstest.Holds(t, errors.Is(err, call.Elsewhere), "in a second browser it answers %v", err)
		theirs := opens(t, f, modelstest.Must(cfp.PlaceLink(ctx, mallory.contact.ID))(t), "")
		modelstest.Holds(t, theirs.Account.ID == mallory.account.ID && !theirs.Account.IsConfirmed(),
			"a link to who has no address opens %+v", theirs)
		var told int
		for _, l := range lettersOf(t, f) {
			if l.ToEmail == "mallory@example.org" && strings.Contains(l.Subject, "was copied") {
				told++
			}
		}
		modelstest.Want(t, "letters that tell of a link to who typed an address alone", told, 1)
		// An address that went to somebody else takes its account along.
		directory := f.Store.Directory(f.Event.OrganizationID, store.By{Door: "admin"})
		modelstest.Must(people.In(directory).Update(ctx, known.ID, modelstest.Values("email", "new@example.org")))(t)
		modelstest.Must(people.In(directory).Update(ctx, nameless.ID, modelstest.Values("email", "ada@example.org")))(t)
		now := opens(t, f, modelstest.Must(cfp.PlaceLink(ctx, nameless.ID))(t), "")
		modelstest.Holds(t, mallory.came(now.Token) == nameless.ID && mallory.came(first.Token) == "",
			"the address opens the place of who had it before")
		foreign, _ := modelstest.ForeignOwner(t, f)
		_, err = call.OpenLink(ctx, f.Store, foreign.OrganizationID, link, call.Browser{}, nil)
		modelstest.WantKind(t, "in another organization", err, store.NotFound)
	})
}

// A link that staff copied opens a place without proving the address: the limits of strangers hold until somebody opens
// a mailed link.
func TestALinkThatStaffCopyProvesNoAddress(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		w, li := waysOn(t, f), begins(t, f, "Li", "ada@example.org", modelstest.SecretPhrase) // who only typed it
		ada := w.known("Ada", "ada@example.org")
		narrow := modelstest.Must(w.open(modelstest.Must(call.Of(f.Programme()).PlaceLink(ctx, ada.ID))(t), "laptop", nil))(t)
		pl := w.place(narrow.Token)
		s := modelstest.Must(pl.Begin(ctx, c.Event, "Tides", ""))(t)
		err := second(pl.AttachFile(ctx, c.Event, s.ID, "slides", slidesOf(6)))
		modelstest.Holds(t, fields(err) == "slides" && strings.Contains(err.Error(), "up to 5 MB"), "a large file: %v", err)
		modelstest.Must(pl.InviteCoSpeaker(ctx, c.Event, s.ID, call.Asking{Email: "xu@example.org"}))(t)
		asked := func() int { return noticesTo(t, f, "xu@example.org") }
		modelstest.Holds(t, asked() == 0 && w.came(li.login) != ada.ID,
			"somebody is written to, or let in, for who proved nothing")
		mailed := modelstest.Must(w.open(w.mint("ada@example.org"), "phone", nil))(t)
		if !mailed.IsNew || !mailed.Account.IsConfirmed() || mailed.Account.ID != narrow.Account.ID || asked() != 1 {
			t.Errorf("a mailed link opens %+v, and %d letters leave", mailed, asked())
		}
		modelstest.Fine(t, second(w.place(mailed.Token).AttachFile(ctx, c.Event, s.ID, "slides", slidesOf(6))))
	})
}

func TestLinksAreMailedToWhoHasAPlace(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		modelstest.Contact(t, f.Programme(), "Ada", "ada@example.org")
		begins(t, f, "Ingrid", "ingrid@sorlie.example", "")
		mint := func(email string) string {
			t.Helper()
			modelstest.Fine(t, call.AskForLink(ctx, f.Store, f.Event.OrganizationID, email, "192.0.2.1"))
			return modelstest.Must(call.MintLink(ctx, f.Store, f.Event, email))(t)
		}
		f.Clock.Move(call.LinkPause)
		for _, email := range []string{"Ada@example.org", "ingrid@sorlie.example"} {
			modelstest.Holds(t, mint(email) != "", "%s gets no link", email)
			modelstest.Want(t, email+" gets two at once", mint(email), "")
			f.Clock.Move(call.LinkPause)
			modelstest.Holds(t, mint(email) != "", "%s gets none later", email)
		}
		modelstest.Want(t, "nobody gets a link", mint("nobody@example.org"), "")
		modelstest.WantKind(t, "no address", call.AskForLink(ctx, f.Store, f.Event.OrganizationID, "nobody", ""),
			store.Invalid)
		for _, email := range []string{"known@example.org", "nobody@example.org"} {
			for i := range 6 {
				err := call.AskForLink(ctx, f.Store, f.Event.OrganizationID, email, "")
				modelstest.Want(t, fmt.Sprintf("%s, time %d", email, i), i >= 5 || email == "nobody@example.org" && i >= 4,
					store.KindOf(err) == store.TooMany)
			}
		}
	})
}

// A stranger begins a proposal with the address of a known speaker and types a profile. When the speaker opens the
// mailed link, that profile is dropped, unless it was typed in their own browser.
func TestAStrangersProfileIsNotThatOfWhoConfirms(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, d := t.Context(), people.In(f.Store.Directory(f.Event.OrganizationID, store.By{Door: "admin"}))
		for _, own := range []bool{false, true} {
			email := fmt.Sprintf("known-%t@example.org", own)
			known := modelstest.Must(d.Create(ctx, modelstest.Values("first_name", "Known", "email", email)))(t)
			mallory := begins(t, f, "Mallory", email, "")
			modelstest.Must(d.Update(ctx, mallory.contact.ID,
				modelstest.Values("about", "<p>Buy here</p>", "job_title", "Seller", "website_url", "https://evil.example")))(t)
			login := ""
			if own {
				login = mallory.login
			}
			modelstest.Want(t, "the one they are", opens(t, f, mallory.link, login).Account.ContactID, known.ID)
			x := modelstest.Must(d.Person(ctx, known.ID))(t)
			if took := x.About != "" && x.JobTitle != "" && x.WebsiteURL != ""; took != own ||
				!own && x.About+x.JobTitle+x.WebsiteURL != "" {
				t.Errorf("by their own browser %t: %q, %q, %q", own, x.About, x.JobTitle, x.WebsiteURL)
			}
		}
	})
}
