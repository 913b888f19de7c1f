package call_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
)

// TestWhoTypedAnAddressAloneIsOnNoList begins drafts with unproven addresses, and looks at everything that lists,
// searches and counts people.
func TestWhoTypedAnAddressAloneIsOnNoList(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		known := modelstest.Must(f.Programme().CreateContact(ctx, models.NewContact{FirstName: "Zed", LastName: "Known",
			Email: "zed@known.example"}))(t)
		zed, draft := c.Begin(t, f, "Zed", "Buy my pills")
		proven, _ := c.Begin(t, f, "Zedproven", "Tides")
		proven = c.Prove(t, f, proven)
		sent, s := c.Begin(t, f, "Zedsent", "Ebb")
		saved(t, sent, c, s.ID, answers(c))
		modelstest.Must(sent.Submit(ctx, c.Event, s.ID, call.Submitting{}))(t)
		noted, _ := c.Begin(t, f, "Zednoted", "Flow")
		modelstest.Must(people.Of(f.Programme()).AddContactNote(ctx, noted.ContactID(), "Met in Kiel"))(t)
		carded, _ := c.Begin(t, f, "Zedcarded", "Flood")
		modelstest.Must(people.Of(f.Programme()).AddCards(ctx, []string{carded.ContactID()}, ""))(t)
		want := []string{known.ID, proven.ContactID(), sent.ContactID(), noted.ContactID(), carded.ContactID()}
		slices.Sort(want)

		all, here := f.Directory(f.Event.OrganizationID, modelstest.Tester), f.Programme().Directory()
		only := func(what string, ids []string) {
			t.Helper()
			slices.Sort(ids)
			modelstest.WantAll(t, what, ids, want)
		}
		for name, d := range map[string]*models.Directory{"all": all, "here": here,
			"a part": all.Within([]string{f.Event.ID, f.Other.ID})} {
			for _, filter := range []people.Filter{{}, {Text: "zed"}} {
				found, at, err := people.In(d).Search(ctx, people.Search{Filter: filter, Page: store.Page{Size: 100}})
				modelstest.Fine(t, err)
				var ids, each []string
				for _, p := range found {
					ids = append(ids, p.ID)
				}
				only(name+" search", ids)
				modelstest.Fine(t, people.In(d).Each(ctx, filter, people.ByName, func(some []*models.Person) error {
					for _, p := range some {
						each = append(each, p.ID)
					}
					return nil
				}))
				only(name+" file", each)
				n := modelstest.Must(people.In(d).Count(ctx, filter))(t)
				everyone := modelstest.First(people.In(d).Counts(ctx, filter))(t)
				modelstest.Holds(t, int(n) == len(want) && int(everyone) == len(want) && int(at.TotalResults) == len(want),
					"%s counts %d, %d and %d", name, n, everyone, at.TotalResults)
			}
		}
		modelstest.Want(t, "are at the event",
			int(modelstest.Must(people.In(all).Count(ctx, people.Filter{EventID: f.Event.ID}))(t)), len(want))
		modelstest.Want(t, "are on no session",
			int(modelstest.Must(people.In(here).Count(ctx, people.Filter{Speaking: new(false)}))(t)), len(want)-1)
		o := modelstest.Must(people.In(all).Overview(ctx))(t)
		modelstest.Holds(t, int(o.People) == len(want) && int(o.Events[f.Event.ID]) == len(want) && int(o.NoEmail) == 3,
			"the overview counts %+v", o)
		owner := &staff.User{OrganizationID: f.Event.OrganizationID, Role: staff.Owner, Everywhere: true}
		for _, d := range []*models.Directory{all, here} {
			if _, n, err := f.Store.EventsAndPeople(ctx, owner, d); err != nil || int(n) != len(want) {
				t.Errorf("every page says that %d are there, %v", n, err)
			}
		}
		found := modelstest.Must(f.Programme().FindContacts(ctx, "zed", 50))(t)
		ids := store.Map(found, func(x *models.FoundContact) string { return x.ID })
		only("the search for somebody", ids)
		for _, text := range []string{"Zed", "Zde"} {
			p := modelstest.Must(f.Programme().Find(ctx, text, 10, 50))(t)
			if text == "Zde" {
				p = modelstest.Must(f.Programme().FindNear(ctx, "zedsnet", 10, 50))(t)
			}
			if slices.ContainsFunc(append(p.Named, p.Others...), func(x *models.Speaker) bool { return x.ID == zed.ContactID() }) {
				t.Errorf("the palette finds the stranger by %q", text)
			}
		}
		for _, pair := range modelstest.Must(people.In(all).Suggestions(ctx))(t).Pairs {
			modelstest.Want(t, "the stranger may be somebody known",
				slices.Contains([]string{pair.First.ID, pair.Second.ID}, zed.ContactID()), false)
		}
		// Their draft names them, and leads to them. Proving the address makes them a person.
		modelstest.Want(t, "the draft does not name them",
			modelstest.Must(f.Programme().Session(ctx, draft.ID))(t).Participants[0].ContactID, zed.ContactID())
		modelstest.Must(here.Person(ctx, zed.ContactID()))(t)
		zed = c.Prove(t, f, zed)
		modelstest.Want(t, "with the address proven, there are",
			int(modelstest.Must(people.In(all).Count(ctx, people.Filter{}))(t)), len(want)+1)
	})
}

// TestANameThatSomebodyTypedIsNeverLikely has strangers type the name and the company of a known person.
func TestANameThatSomebodyTypedIsNeverLikely(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		d := people.In(f.Directory(f.Event.OrganizationID, modelstest.Tester))
		for _, name := range []string{"Sent", "Proven", "Nobody"} {
			known := modelstest.Must(f.Programme().CreateContact(ctx, models.NewContact{FirstName: name, CompanyName: "Tidal",
				Email: name + "@known.example"}))(t)
			want := people.Possibly
			var typed string
			switch pl, s := c.Begin(t, f, name, "Of "+name); name {
			case "Sent": // with an address that nobody has proven
				saved(t, pl, c, s.ID, answers(c))
				modelstest.Must(pl.Submit(ctx, c.Event, s.ID, call.Submitting{}))(t)
				typed = pl.ContactID()
			case "Proven":
				typed = c.Prove(t, f, pl).ContactID()
			default: // whom staff know twice
				typed, want = modelstest.Must(f.Programme().CreateContact(ctx, models.NewContact{FirstName: name}))(t).ID,
					people.VeryLikely
			}
			modelstest.Must(d.Update(ctx, typed, modelstest.Values("company_name", "Tidal")))(t)
			pair := people.MergePair{SurvivorID: known.ID, RemovedID: typed}
			modelstest.Want(t, name+" compared", modelstest.Must(d.Compare(ctx, pair))(t).Looks().Strength, want)
			for _, s := range modelstest.Must(d.Suggestions(ctx))(t).Pairs {
				if s.Second.ID == typed {
					modelstest.Want(t, name+" suggested", s.Strength, want)
					want = 0
				}
			}
			modelstest.Want(t, name+" is suggested no time", want, people.Strength(0))
		}
	})
}

// TestABeginningThatNobodyProvedGoesAfterAFortnight looks for the removed people in every column, and checks who must
// stay.
func TestABeginningThatNobodyProvedGoesAfterAFortnight(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		zed, draft := c.Begin(t, f, "Zedmarked", "Markedpills")
		modelstest.Must(zed.InviteCoSpeaker(ctx, c.Event, draft.ID, call.Asking{Email: "xu@marked.example"}))(t)
		modelstest.Must(zed.AttachFile(ctx, c.Event, draft.ID, "slides", slidesOf(1)))(t)
		second := modelstest.Must(zed.Begin(ctx, c.Event, "Marked again", ""))(t)
		keeps := map[string]*call.Place{}
		begin := func(name string) (*call.Place, *models.Session) {
			pl, s := c.Begin(t, f, name, "Of "+name)
			keeps[name] = pl
			return pl, s
		}
		pl, _ := begin("Proven")
		keeps["Proven"] = c.Prove(t, f, pl)
		pl, s := begin("Sent")
		saved(t, pl, c, s.ID, answers(c))
		modelstest.Must(pl.Submit(ctx, c.Event, s.ID, call.Submitting{}))(t)
		pl, _ = begin("Noted")
		modelstest.Must(people.Of(f.Programme()).AddContactNote(ctx, pl.ContactID(), "Met in Kiel"))(t)
		_, s = begin("Edited")
		modelstest.Update(t, f.Programme(), s.ID, models.SessionInput{Description: new("By staff")})
		_, s = begin("Joined")
		ada := modelstest.Must(f.Programme().CreateContact(ctx, models.NewContact{FirstName: "Ada"}))(t)
		f.Join(t, f.Event, s.ID, ada.ID, models.Speaking)
		sweep := func() {
			t.Helper()
			modelstest.Want(t, "there is more", modelstest.Must(call.SweepBeginnings(ctx, f.Store, 50))(t), false)
		}
		f.Clock.Move(9 * 24 * time.Hour)
		begin("Late")
		f.Clock.Move(call.BeginningLifetime - 9*24*time.Hour - time.Hour)
		sweep()
		if !strings.Contains(strings.Join(rowsWith(t, f, zed.ContactID()), " "), "contacts") {
			t.Fatal("they go before a fortnight")
		}
		f.Clock.Move(time.Hour)
		modelstest.Emitted(t, f)
		sweep()
		sweep()
		modelstest.Fine(t, call.Sweep(ctx, f.Store))
		for _, id := range []string{zed.ContactID(), draft.ID, second.ID, zed.Account().ID} {
			for _, row := range rowsWith(t, f, id) {
				if !strings.HasPrefix(row, "emissions") && !strings.HasPrefix(row, "changes") {
					t.Errorf("left: %s", row)
				}
			}
		}
		modelstest.Want(t, "it emits", strings.Count(emitted(t, f), "session.deleted"), 2)
		for name, pl := range keeps {
			there := modelstest.RowsOf(t, f, "SELECT count(*) FROM contacts c JOIN speaker_accounts a ON a.contact_id = c.id "+
				"JOIN participants p ON p.contact_id = c.id WHERE c.id = '"+pl.ContactID()+"'")
			modelstest.Want(t, name+" went, or their draft", there, 1)
		}
		modelstest.WantSound(t, f)
	})
}

// rowsWith returns the rows that have one of some texts in any column, in small letters or capitals.
func rowsWith(t *testing.T, f *modelstest.Fixture, texts ...string) (found []string) {
	t.Helper()
	for table, rows := range modelstest.Dump(t, f) {
		for _, row := range rows {
			row = strings.ToLower(row)
			if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(row, strings.ToLower(text)) }) {
				found = append(found, table+": "+row)
			}
		}
	}
	slices.Sort(found)
	return found
}
