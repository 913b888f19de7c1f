package call_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

// ways is a fixture with the directory that staff use.
type ways struct {
	*modelstest.Fixture
	t *testing.T
	d *models.Directory
}

func waysOn(t *testing.T, f *modelstest.Fixture) ways {
	return ways{f, t, f.Store.Directory(f.Event.OrganizationID, modelstest.Tester)}
}

func (w ways) known(name, email string) *models.Contact {
	w.t.Helper()
	return modelstest.Must(w.Programme().CreateContact(w.t.Context(), models.NewContact{FirstName: name,
		Email: email}))(w.t)
}

// address changes a person's address, as staff do.
func (w ways) address(id, email string) {
	w.t.Helper()
	change := modelstest.Values("email", email)
	modelstest.Must(people.In(w.d).Update(w.t.Context(), id, change))(w.t)
}

// proves has a person open a link that was mailed to another address of theirs.
func (w ways) proves(c *models.Contact, email string) {
	w.t.Helper()
	link := modelstest.Must(store.Make(w.t.Context(), w.Store.Write, func(tx *store.Tx) (string, error) {
		a, err := call.NewAccount(tx, c, email, "")
		if err != nil {
			return "", err
		}
		return call.NewLink(tx, call.LinkTo{OrganizationID: w.Event.OrganizationID, AccountID: a.ID})
	}))(w.t)
	modelstest.Want(w.t, email+" does not let in", w.came(modelstest.Must(w.open(link, "", nil))(w.t).Token), c.ID)
}

// mint returns a mailed link to an address, or "".
func (w ways) mint(email string) string {
	w.t.Helper()
	w.Clock.Move(call.LinkPause)
	return modelstest.Must(call.MintLink(w.t.Context(), w.Store, w.Event, email))(w.t)
}

func (w ways) open(link, device string, own *call.Login) (*call.Opened, error) {
	return call.OpenLink(w.t.Context(), w.Store, w.Event.OrganizationID, link, call.Browser{Device: device}, own)
}

// came returns the id of the contact whom a token signs in, or "".
func (w ways) came(token string) string {
	w.t.Helper()
	l, err := call.LoginBy(w.t.Context(), w.Store, token)
	if err != nil {
		modelstest.WantKind(w.t, "a login that ended", err, store.Unauthorized)
		return ""
	}
	return l.Account.ContactID
}

func (w ways) place(token string) *call.Place {
	w.t.Helper()
	return call.PlaceOf(w.Store, modelstest.Must(call.LoginBy(w.t.Context(), w.Store, token))(w.t), store.By{Door: "call"})
}

// shut checks that a link opens nothing any more.
func (w ways) shut(what, link string) {
	w.t.Helper()
	_, err := w.open(link, "any", nil)
	modelstest.WantKind(w.t, what, err, store.NotFound)
	if errors.Is(err, call.Elsewhere) {
		w.t.Errorf("%s: it opens elsewhere", what)
	}
}

func TestWhoHadTheAddressBeforeKeepsNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		w, ctx := waysOn(t, f), t.Context()
		ada, other := w.known("Ada", "typo@example.org"), w.known("Li", "li@example.org")
		mailed, unopened := w.mint("typo@example.org"), w.mint("TYPO@example.org")
		in := modelstest.Must(w.open(mailed, "phone", nil))(t).Token
		modelstest.Fine(t, w.place(in).SetPassword(ctx, f.Event, "", modelstest.SecretPhrase))
		unopened = w.mint("typo@example.org")
		copied := modelstest.Must(call.Of(f.Programme()).PlaceLink(ctx, ada.ID))(t)
		li := modelstest.Must(w.open(w.mint("li@example.org"), "", nil))(t).Token
		check := func(when string) {
			t.Helper()
			modelstest.Holds(t, w.came(in) == "" && w.came(li) == other.ID, "%s, the wrong ones are in", when)
			w.shut(when+", a link that was opened", mailed)
			w.shut(when+", a link that was not", unopened)
			w.shut(when+", one that staff copied", copied)
			_, err := signIn(t, f, "typo@example.org", modelstest.SecretPhrase)
			modelstest.WantKind(t, when+", the password", err, store.Unauthorized)
		}
		w.address(ada.ID, "ada@example.org")
		check("after the change")
		modelstest.Want(t, "the old address gets another link", w.mint("typo@example.org"), "")
		next := modelstest.Must(w.open(w.mint("ada@example.org"), "", nil))(t).Token
		modelstest.Want(t, "the new address does not get in", w.came(next), ada.ID)
		// Back again: neither what the first address had opened revives, nor does the second one's last.
		w.address(ada.ID, "typo@example.org")
		check("after the change was taken back")
		modelstest.Holds(t, w.came(next) == "" && w.mint("ada@example.org") == "", "the second address opens it still")
		w.address(ada.ID, "")
		w.address(ada.ID, "TYPO@Example.org") // case alone is no other address
		last := modelstest.Must(w.open(w.mint("typo@example.org"), "", nil))(t).Token
		w.address(ada.ID, "typo@example.ORG")
		modelstest.Want(t, "writing the address otherwise ends the login", w.came(last), ada.ID)
		w.address(ada.ID, "typo+x@example.org")
		modelstest.Holds(t, w.came(last) == "" && w.mint("typo@example.org") == "", "an address with a tag is another one")
	})
}

func TestAnAddressThatSomebodyOnlyTypedEndsWhenStaffGiveIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		w := waysOn(t, f)
		// Mallory claims the address of Ada, as whom staff take her proposal.
		mallory := begins(t, f, "Ada", "ada@example.org", modelstest.SecretPhrase)
		w.address(mallory.contact.ID, "ada@example.org")
		modelstest.Answers(signIn(t, f, "ada@example.org", modelstest.SecretPhrase))(t, "the password", store.Unauthorized)
		modelstest.Want(t, "who typed the address is in still", mallory.came(mallory.login), "")
		modelstest.Want(t, "the mail to the address does not let in whoever has it",
			w.came(modelstest.Must(w.open(mallory.link, "", nil))(t).Token), mallory.contact.ID)
		// Eve typed an address of her own, and staff know a better one.
		eve := begins(t, f, "Li", "eve@example.org", modelstest.SecretPhrase)
		w.address(eve.contact.ID, "li@example.org")
		w.shut("the mail to the address that she typed", eve.link)
		modelstest.Want(t, "Eve reads what Li gets", eve.came(eve.login), "")
		// Somebody began with an address that comes to be of somebody else: by hand, on a session, or in a file.
		for _, by := range []struct {
			email string
			add   func(email string)
		}{
			{"hand@example.org", func(email string) { w.known("Hand", email) }},
			{"edit@example.org", func(email string) { w.address(w.known("Edit", "").ID, email) }},
			{"seat@example.org", func(email string) {
				s := modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "T"}))(t)
				f.Speaker(t, f.Event, s.ID, models.NewContact{FirstName: "Seat", Email: email})
			}},
			{"file@example.org", func(email string) {
				w.known("Known", "known@example.org")
				modelstest.Must(people.Of(f.Programme()).ImportContacts(t.Context(), "people.csv",
					strings.NewReader("Email,First name\n"+
						email+",File\nknown@example.org,Known\n"), people.ImportOverwrite, false))(t)
			}},
			{"fill@example.org", func(email string) { // of somebody whose address was not known
				w.known("Without", "")
				i := modelstest.ImportPeople(t, f, "Email,First name\n"+email+",Without\n", people.ImportFill)
				modelstest.Want(t, "the file fills in", i.Updated, 1)
			}},
			{"second@example.org", func(email string) { w.proves(w.known("Second", "first@example.org"), email) }},
		} {
			email := by.email
			typed := begins(t, f, "Typed", email, modelstest.SecretPhrase)
			bystander := begins(t, f, "By", "by-"+email, modelstest.SecretPhrase)
			by.add(email)
			modelstest.Answers(signIn(t, f, email, modelstest.SecretPhrase))(t, email+": the password", store.Unauthorized)
			modelstest.Holds(t, typed.came(typed.login) == "" && bystander.came(bystander.login) != "",
				"%s: the wrong one is in", email)
			done := modelstest.Must(w.open(typed.link, "", nil))(t)
			modelstest.Holds(t, done.Account.ContactID != typed.contact.ID && done.IsNew,
				"%s: the link that was mailed comes to %+v", email, done)
		}
	})
}

func TestAMergeLetsInTheAddressThatStaysAndThoseThatAreTicked(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		w, ctx := waysOn(t, f), t.Context()
		for _, c := range []struct {
			name             string
			keep, take       []string
			strangerStays    bool
			stranger, friend bool // who is in afterwards
		}{
			{"nothing ticked", nil, nil, false, false, true},
			{"the stranger survives and takes the address", nil, []string{"email"}, true, false, true},
			{"the stranger survives with theirs", nil, nil, true, true, false},
			{"ticked", []string{"EVE-ticked@example.org"}, nil, false, true, true},
			{"somebody else's address is ticked", []string{"li@example.org"}, nil, false, false, true},
		} {
			tag := strings.Fields(c.name)[0]
			if c.strangerStays {
				tag += map[bool]string{true: "-taken", false: "-kept"}[c.take != nil]
			}
			ada := w.known("Ada "+tag, "ada-"+tag+"@example.org")
			friend := modelstest.Must(w.open(w.mint(ada.Email), "", nil))(t).Token
			eve := begins(t, f, "Ada "+tag, "eve-"+tag+"@example.org", modelstest.SecretPhrase)
			opens(t, f, eve.link, eve.login) // she proves an address of her own
			pair := people.MergePair{SurvivorID: ada.ID, RemovedID: eve.contact.ID, Keep: c.keep, Take: c.take}
			if c.strangerStays {
				pair.SurvivorID, pair.RemovedID = pair.RemovedID, pair.SurvivorID
			}
			if s := modelstest.Must(people.In(w.d).Compare(ctx, pair))(t); s.Looks().Strength != people.Possibly ||
				len(s.Ways) != 2 || !s.Ways[0].HasPlace || s.Ways[1].OfRemoved == s.Ways[0].OfRemoved {
				t.Errorf("%s: %+v, %+v", c.name, s.Looks(), s.Ways)
			}
			before := w.mint("eve-" + tag + "@example.org")
			modelstest.Must(people.In(w.d).Merge(ctx, []people.MergePair{pair}))(t)
			if (w.came(eve.login) != "") != c.stranger || (w.came(friend) != "") != c.friend {
				t.Errorf("%s: the stranger is in: %t, the friend: %t", c.name, w.came(eve.login) != "", w.came(friend) != "")
			}
			_, err := w.open(before, "", nil)
			_, password := signIn(t, f, "eve-"+tag+"@example.org", modelstest.SecretPhrase)
			fresh := w.mint("eve-" + tag + "@example.org")
			modelstest.Holds(t, (err == nil) == c.stranger && (password == nil) == c.stranger && (fresh != "") == c.stranger,
				"%s: the stranger's link: %v, password: %v, another link %q", c.name, err, password, fresh)
			// Whoever proves the address anew has a place of their own.
			if c.stranger {
				continue
			}
			again := begins(t, f, "Ada "+tag, "eve-"+tag+"@example.org", "")
			modelstest.Want(t, c.name+": who begins anew comes to", opens(t, f, again.link, again.login).Account.ContactID,
				again.contact.ID)
		}
	})
}

func TestALinkStaysInTheBrowserThatOpenedItFirst(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		w, ctx := waysOn(t, f), t.Context()
		ada := w.known("Ada", "ada@example.org")
		w.known("Li", "li@example.org")
		link := w.mint("ada@example.org")
		for range 3 { // what scans mails
			modelstest.Fine(t, call.CheckLink(ctx, f.Store, f.Event.OrganizationID, link, call.Browser{}, nil))
		}
		f.Clock.Move(30 * 24 * time.Hour)
		first := modelstest.Must(w.open(link, "laptop", nil))(t)
		f.Clock.Move(call.LinkOpen - time.Second)
		modelstest.Want(t, "it does not open on the phone on the same day",
			w.came(modelstest.Must(w.open(link, "phone", nil))(t).Token), ada.ID)
		f.Clock.Move(time.Second)
		for _, device := range []string{"phone", "thief", ""} {
			_, err := w.open(link, device, nil)
			page := call.CheckLink(ctx, f.Store, f.Event.OrganizationID, link, call.Browser{Device: device}, nil)
			modelstest.Holds(t, errors.Is(err, call.Elsewhere) && errors.Is(page, call.Elsewhere),
				"in the browser %q it answers %v, the page %v", device, err, page)
		}
		modelstest.Want(t, "a fresh one goes to",
			modelstest.Must(call.FreshTo(ctx, f.Store, f.Event.OrganizationID, link))(t), "ada@example.org")
		again := modelstest.Must(w.open(link, "laptop", nil))(t)
		modelstest.Want(t, "it does not open where it was opened first", w.came(again.Token), ada.ID)
		own := modelstest.Must(call.LoginBy(ctx, f.Store, first.Token))(t)
		if in := modelstest.Must(w.open(link, "phone", own))(t); in.Token != "" || in.Account.ContactID != ada.ID {
			t.Errorf("who is in already comes to %+v", in)
		}
		li := modelstest.Must(w.open(w.mint("li@example.org"), "phone", nil))(t)
		theirs := modelstest.Must(call.LoginBy(ctx, f.Store, li.Token))(t)
		if _, err := w.open(link, "phone", theirs); !errors.Is(err, call.Elsewhere) {
			t.Errorf("who is in as somebody else: %v", err)
		}
		// Who leaves a browser leaves no link open for the next one, even on the same day.
		link = w.mint("ada@example.org")
		in := modelstest.Must(w.open(link, "library", nil))(t)
		modelstest.Fine(t, w.place(in.Token).Leave(ctx, call.Browser{Device: "library"}))
		for _, device := range []string{"library", "phone"} {
			if _, err := w.open(link, device, nil); !errors.Is(err, call.Elsewhere) {
				t.Errorf("after leaving, in the browser %q it answers %v", device, err)
			}
		}
		modelstest.Want(t, "a fresh one does not open",
			w.came(modelstest.Must(w.open(w.mint("ada@example.org"), "library", nil))(t).Token), ada.ID)
	})
}

func TestALinkThatStaffCopiedOpensInOneBrowserForAFortnight(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		w, ctx := waysOn(t, f), t.Context()
		ada := w.known("Ada", "ada@example.org")
		link := modelstest.Must(call.Of(f.Programme()).PlaceLink(ctx, ada.ID))(t)
		in := modelstest.Must(w.open(link, "laptop", nil))(t)
		modelstest.Want(t, "it proves the address", w.place(in.Token).IsProved(), false)
		_, err := w.open(link, "phone", nil)
		modelstest.Holds(t, errors.Is(err, call.Elsewhere), "in another browser at once it answers %v", err)
		modelstest.Must(w.open(link, "laptop", nil))(t)
		modelstest.Want(t, "a fresh one goes to",
			modelstest.Must(call.FreshTo(ctx, f.Store, f.Event.OrganizationID, link))(t), "ada@example.org")
		f.Clock.Move(call.CopiedLinkLifetime)
		w.shut("after a fortnight", link)
	})
}

func TestOneLinkThatTwoBrowsersOpenAtOnceLetsInAsItSays(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		w := waysOn(t, f)
		ada := w.known("Ada", "ada@example.org")
		typed := begins(t, f, "Ada", "ada@example.org", "") // who is known already, and becomes one with her
		for _, c := range []struct {
			what, link string
			lets       int
		}{
			{"copied", modelstest.Must(call.Of(f.Programme()).PlaceLink(t.Context(), ada.ID))(t), 1},
			{"mailed", w.mint("ada@example.org"), 4},
			{"typed", typed.link, 4},
		} {
			in := 0
			for _, err := range modelstest.AtOnce(4, func(i int) error {
				return modelstest.ErrorOf(w.open(c.link, c.what+string(rune('a'+i)), nil))
			}) {
				if err == nil {
					in++
				} else if !errors.Is(err, call.Elsewhere) {
					t.Errorf("%s: %v", c.what, err)
				}
			}
			modelstest.Want(t, c.what+": let in of 4", in, c.lets)
		}
	})
}

func TestAThiefOfALinkSetsNoPassword(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		w, ctx := waysOn(t, f), t.Context()
		w.known("Ada", "ada@example.org")
		li := modelstest.Must(w.open(w.mint("ada@example.org"), "", nil))(t).Token
		old := w.mint("ada@example.org")
		f.Clock.Move(call.LinkFresh + time.Second)
		thief := modelstest.Must(w.open(old, "thief", nil))(t).Token
		const phrase = "a phrase of the thief"
		modelstest.WantKind(t, "by a mail of yesterday", w.place(thief).SetPassword(ctx, f.Event, "", phrase), store.Invalid)
		link := modelstest.Must(call.Of(f.Programme()).PlaceLink(ctx, w.place(li).ContactID()))(t)
		if told := lettersOf(t, f); len(told) != 1 || told[0].Email != "ada@example.org" ||
			!strings.Contains(told[0].Subject, "was copied") || !told[0].HasPlaceLink() {
			t.Errorf("of a link that staff copied tell %+v", told)
		}
		copied := modelstest.Must(w.open(link, "", nil))(t)
		modelstest.WantKind(t, "by a link that staff copied", w.place(copied.Token).SetPassword(ctx, f.Event, "", phrase),
			store.Invalid)
		// Who reads the mail now sets one, and everybody else is out, with every link.
		unopened := w.mint("ada@example.org")
		fresh := modelstest.Must(w.open(w.mint("ada@example.org"), "laptop", nil))(t).Token
		modelstest.Emitted(t, f)
		modelstest.Fine(t, w.place(fresh).SetPassword(ctx, f.Event, "", modelstest.SecretPhrase))
		modelstest.Holds(t, w.came(thief) == "" && w.came(li) == "" && w.came(copied.Token) == "" && w.came(fresh) != "",
			"the wrong ones are in")
		for _, link := range []string{old, unopened} {
			w.shut("a link from before", link)
		}
		told := lettersOf(t, f)
		told = slices.DeleteFunc(told, func(l *models.LetterRow) bool { return strings.Contains(l.Subject, "was copied") })
		n := len(told)
		modelstest.Holds(t, n == 1 && told[0].ContactID == w.place(fresh).ContactID() && told[0].HasPlaceLink() &&
			!strings.Contains(told[0].Subject, "Ada"), "%d letters tell of it", n)
		// Later it takes the password, or a fresh link in the very browser.
		f.Clock.Move(16 * time.Minute)
		in := w.place(fresh)
		modelstest.WantKind(t, "without the password", in.SetPassword(ctx, f.Event, "", phrase), store.Invalid)
		modelstest.WantKind(t, "with a wrong one", in.SetPassword(ctx, f.Event, "no", phrase), store.Invalid)
		own := modelstest.Must(call.LoginBy(ctx, f.Store, fresh))(t)
		modelstest.Must(w.open(w.mint("ada@example.org"), "laptop", own))(t)
		modelstest.Fine(t, w.place(fresh).SetPassword(ctx, f.Event, "", "a phrase of her own"))
		// Forgetting the others does the same to links and logins.
		left := w.mint("ada@example.org")
		second := modelstest.Must(signIn(t, f, "ada@example.org", "a phrase of her own"))(t)
		modelstest.Fine(t, w.place(second).LeaveOthers(ctx, f.Event))
		w.shut("a link from before leaving", left)
		modelstest.Holds(t, w.came(fresh) == "" && w.came(second) != "" && len(lettersOf(t, f)) == 4,
			"leaving the others ends the wrong ones, or tells nobody")
	})
}
