package people_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/people"
	"lectern/models/store"
)

func TestWhatIsEmittedOfPeopleIsTravelAndAvailabilityAlone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		tag := modelstest.RowOf(t, p, models.Tags, "Mentor")
		ada := modelstest.First(people.Of(p).AddPerson(ctx,
			modelstest.Values("first_name", "Ada", "email", "ada@example.org", "travel_notes", "by train")))(t)
		d := p.Directory()
		for _, c := range []people.Change{
			modelstest.Values("first_name", "Ada Augusta", "phone", "+44 1", "about", "<p>Counts.</p>"),
			modelstest.Values("workflow_status", "Confirmed"), modelstest.Values("tags", tag.ID),
		} {
			modelstest.Must(people.In(d).Update(ctx, ada.ID, c))(t)
		}
		modelstest.Must(people.Of(p).AddContactNote(ctx, ada.ID, "Brings an engine."))(t)
		modelstest.Want(t, "emitted", len(modelstest.ContactEmissions(t, f)), 0)
		modelstest.Must(people.In(d).Update(ctx, ada.ID, modelstest.Values("arrival_details", "19 May", "hotel", "Quay",
			"logistics_notes", "A plug")))(t)
		modelstest.Must(people.In(d).Update(ctx, ada.ID, modelstest.Values("arrival_details", "19 May", "hotel",
			"Quay")))(t) // as it is
		if got := modelstest.ContactEmissions(t, f); !slices.Equal(got, []outbox.EmissionType{outbox.ContactUpdated}) {
			t.Fatalf("travel emitted %v", got)
		}
		modelstest.Must(people.In(d).Update(ctx, ada.ID, modelstest.Values("availability", "Not on Friday")))(t)
		last := modelstest.Emitted(t, f)
		if len(last) != 1 || last[0].Type != outbox.ContactUpdated {
			t.Fatalf("availability emitted %v", last)
		}
		var data map[string]any
		modelstest.Fine(t, json.Unmarshal([]byte(last[len(last)-1].Data), &data))
		keys := []string{}
		for key := range data {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		modelstest.WantAll(t, "tells of",
			keys, []string{"about", "company_name", "created_at", "email", "full_name", "id", "photo_url",
				"updated_at"})
	})
}

func TestAPersonIsSavedRecordedAndFoundByTheNewName(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		d := p.Directory()
		ada := modelstest.First(people.Of(p).AddPerson(ctx, modelstest.Values("first_name", "Ada", "email", "ada@example.org")))(t)
		modelstest.Contact(t, p, "Bob", "bob@example.org")
		s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Engines",
			People: []models.Participation{{ContactID: ada.ID}}}))(t)

		after := modelstest.Must(people.In(d).Update(ctx, ada.ID, people.Change{UpdatedAt: &ada.UpdatedAt,
			Values: map[string]string{"last_name": " Lovelace ", "website_url": "example.org", "hotel": "Quay"}}))(t)
		if after.FullName != "Ada Lovelace" || after.WebsiteURL != "https://example.org" || after.Here.Hotel != "Quay" ||
			!after.UpdatedAt.After(ada.UpdatedAt.Time) || !after.Here.UpdatedAt.After(ada.Here.UpdatedAt.Time) {
			t.Fatalf("saved %+v %+v", after.Contact, after.Here)
		}
		modelstest.Answers(people.In(d).Update(ctx, ada.ID, people.Change{UpdatedAt: &ada.UpdatedAt,
			Values: map[string]string{"phone": "1"}}))(t, "an outdated profile", store.Stale)
		modelstest.Answers(people.In(d).Update(ctx, ada.ID, people.Change{HereUpdatedAt: &ada.Here.UpdatedAt,
			Values: map[string]string{"hotel": "1"}}))(t, "outdated travel", store.Stale)
		again := modelstest.Must(people.In(d).Update(ctx, ada.ID, modelstest.Values("hotel", "Pier")))(t)
		modelstest.Holds(t, again.UpdatedAt.Equal(after.UpdatedAt.Time) &&
			again.Here.UpdatedAt.After(after.Here.UpdatedAt.Time), "travel moves the token of its own row alone")
		found := modelstest.First(p.SearchSessions(ctx,
			models.SessionSearch{Filter: models.SessionFilter{Text: "lovelace"}, Page: store.Page{Size: 10}}))(t)
		modelstest.Holds(t, len(found) == 1 && found[0].UpdatedAt.Equal(s.UpdatedAt.Time),
			"the session is found by the new name, its token stays: %+v", found)
		line := modelstest.Must(p.Activity(ctx, ada.ID))(t)[1]
		was, is := store.ReadFacts(line.Before), store.ReadFacts(line.After)
		modelstest.Holds(t, len(is) == 3 && was["hotel"] == "" && is["hotel"] == "Quay" && is["last_name"] == "Lovelace",
			"recorded %v %v", was, is)
		for field, text := range map[string]string{"email": "BOB@example.org", "first_name": strings.Repeat("x", 300),
			"website_url": "javascript:alert(1)", "workflow_status": "famous", "tags": ada.ID, "nonsense": "x"} {
			modelstest.Answers(people.In(d).Update(ctx, ada.ID, modelstest.Values(field, text)))(t, field, store.Invalid)
		}
		_, err := people.In(d).Update(ctx, ada.ID, modelstest.Values("first_name", "", "last_name", " "))
		modelstest.WantKind(t, "no name", err, store.Invalid)
	})
}

func TestNobodyIsChangedFromWhereTheyAreNotSeen(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		there := modelstest.First(people.Of(f.Elsewhere()).AddPerson(ctx,
			modelstest.Values("first_name", "There", "hotel", "secret")))(t)
		_, foreign := modelstest.ForeignOwner(t, f)
		stranger := f.Store.Programme(modelstest.Must(f.EventBy(ctx, foreign))(t), modelstest.Tester)
		all := f.Directory(f.Event.OrganizationID, modelstest.Tester)
		for name, d := range map[string]*models.Directory{"another event": f.Programme().Directory(),
			"another organization": stranger.Directory(), "its directory": f.Directory(stranger.Event().OrganizationID,
				modelstest.Tester), "a part": all.Within([]string{f.Event.ID}), "no part": all.Within(nil)} {
			modelstest.Answers(d.Person(ctx, there.ID))(t, name+" reads", store.NotFound)
			_, err := people.In(d).Update(ctx, there.ID, modelstest.Values("first_name", "Taken"))
			modelstest.WantKind(t, name+" writes", err, store.NotFound)
		}
		modelstest.Answers(people.Of(stranger).PutAtEvent(ctx, there.ID))(t, "another organization's event", store.NotFound)
		_, err := people.Of(f.Programme()).AddContactNote(ctx, there.ID, "x")
		modelstest.WantKind(t, "a note from elsewhere", err, store.NotFound)
		_, err = people.In(all).Update(ctx, there.ID, modelstest.Values("hotel", "x"))
		modelstest.WantKind(t, "what is an event's, without one", err, store.NotFound)
		modelstest.Want(t, "a directory without an event tells",
			modelstest.Must(all.Within([]string{f.Other.ID}).Person(ctx, there.ID))(t).Here, nil)
	})
}

func TestAKnownAddressIsPutAtTheEventAndMayLeaveIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		there := modelstest.First(people.Of(f.Elsewhere()).AddPerson(ctx,
			modelstest.Values("first_name", "Ada", "email", "ada@example.org")))(t)
		here, known, err := people.Of(p).AddPerson(ctx, modelstest.Values("first_name", "Other", "email",
			" ADA@example.org", "phone", "1"))
		if err != nil || !known || here.ID != there.ID || here.FirstName != "Ada" || here.Phone != "" || here.Here == nil {
			t.Fatalf("%+v %v %v", here, known, err)
		}
		s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Engines",
			People: []models.Participation{{ContactID: here.ID}}}))(t)
		modelstest.Answers(people.Of(p).TakeOffEvent(ctx, here.ID))(t, "on a session", store.Invalid)
		modelstest.Must(p.DeleteSession(ctx, s.ID))(t)
		modelstest.Answers(people.Of(p).TakeOffEvent(ctx, here.ID))(t, "in the Trash", store.Invalid)
		modelstest.Must(p.SetParticipants(ctx, modelstest.Must(p.RestoreSession(ctx, s.ID))(t).ID, nil))(t)
		tag := modelstest.RowOf(t, p, models.Tags, "Mentor")
		modelstest.Must(people.In(p.Directory()).Update(ctx, here.ID, modelstest.Values("hotel", "Quay", "tags", tag.ID)))(t)
		modelstest.Must(people.Of(p).TakeOffEvent(ctx, here.ID))(t)
		modelstest.Answers(p.Contact(ctx, here.ID))(t, "gone from the event", store.NotFound)
		modelstest.Must(f.Elsewhere().Contact(ctx, here.ID))(t)
		line := modelstest.Must(p.Activity(ctx, here.ID))(t)[0]
		was := store.ReadFacts(line.Before)
		modelstest.Holds(t, line.Action == "removed" && was["hotel"] == "Quay", "recorded %s %v", line.Action, was)
		back := modelstest.Must(people.Of(p).PutAtEvent(ctx, here.ID))(t)
		modelstest.Holds(t, back.Here.Hotel == "" && len(back.Tags) == 0, "came back with %+v", back.Here)
	})
}

func TestWhoLeavesTheEventWhileAChangeWaitsIsNotThere(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, d := t.Context(), f.Programme().Directory()
		ada := modelstest.Must(people.In(d).Create(ctx, modelstest.Values("first_name", "Ada")))(t)
		changed := make(chan error, 1)
		modelstest.Fine(t, f.Write(ctx, func(tx *store.Tx) error {
			if err := tx.Exec("UPDATE contacts SET phone = '1' WHERE id = ?", ada.ID).Error; err != nil {
				return err
			}
			go func() {
				_, err := people.In(d).Update(context.WithoutCancel(ctx), ada.ID, modelstest.Values("hotel", "Quay"))
				changed <- err
			}()
			modelstest.Waits(t, f, 1) // for the person
			return tx.Exec("DELETE FROM event_contacts WHERE contact_id = ?", ada.ID).Error
		}))
		modelstest.WantKind(t, "who left", <-changed, store.NotFound)
	})
}

func TestStatusesMoveTogetherAndAreTakenBack(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		var moves []people.StatusMove
		for _, name := range []string{"Ada", "Bob", "Cid"} {
			x := modelstest.First(people.Of(p).AddPerson(ctx, modelstest.Values("first_name", name)))(t)
			moves = append(moves, people.StatusMove{ContactID: x.ID, To: models.Invited})
		}
		there := modelstest.First(people.Of(f.Elsewhere()).AddPerson(ctx, modelstest.Values("first_name", "There")))(t)
		modelstest.Must(people.In(p.Directory()).Update(ctx, moves[0].ContactID, modelstest.Values("workflow_status",
			"invited")))(t)
		done := modelstest.Must(people.Of(p).MoveStatuses(ctx, append(moves, people.StatusMove{ContactID: there.ID,
			To: "invited"}), true))(t)
		if len(done) != 2 {
			t.Fatalf("moved %+v", done)
		}
		modelstest.Must(people.In(p.Directory()).Update(ctx, moves[2].ContactID, modelstest.Values("workflow_status",
			"confirmed")))(t)
		for i := range done {
			done[i].From, done[i].To = done[i].To, done[i].From
		}
		back := modelstest.Must(people.Of(p).MoveStatuses(ctx, done, false))(t)
		modelstest.Holds(t, len(back) == 1 && back[0].ContactID == moves[1].ContactID, "took back %+v", back)
		_, err := people.Of(p).MoveStatuses(ctx, []people.StatusMove{{ContactID: there.ID, To: "x"}}, true)
		modelstest.WantKind(t, "no status", err, store.Invalid)
		modelstest.Answers(people.Of(p).MoveStatuses(ctx, make([]people.StatusMove, 101), true))(t, "too many", store.Invalid)
		modelstest.Want(t, "emissions", len(modelstest.ContactEmissions(t, f)), 0)
	})
}

func TestOwnFieldsAreDefinedFilledAndDeleted(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		d := f.Directory(f.Event.OrganizationID, modelstest.Tester)
		size := modelstest.Must(people.In(d).AddOwnField(ctx, people.OwnFieldInput{Label: "Shirt", Type: field.Choice,
			Options: []string{"S", "M"}}))(t)
		since := modelstest.Must(people.In(d).AddOwnField(ctx, people.OwnFieldInput{Label: "Since", Type: field.Date}))(t)
		for name, in := range map[string]people.OwnFieldInput{"taken": {Label: "shirt", Type: field.Text},
			"built in":   {Label: "E-Mail", Type: field.Text},
			"no options": {Label: "O", Type: field.Choice}, "no type": {Label: "T", Type: "x"}} {
			modelstest.Answers(people.In(d).AddOwnField(ctx, in))(t, name, store.Invalid)
		}
		ada := modelstest.First(people.Of(p).AddPerson(ctx, modelstest.Values("first_name", "Ada", size.Key, "m")))(t)
		after := modelstest.Must(people.In(p.Directory()).Update(ctx, ada.ID, modelstest.Values(since.Key, "31.12.2026",
			size.Key, "S")))(t)
		modelstest.Holds(t, after.Own[size.Key] == "S" && after.Own[since.Key] == "2026-12-31" &&
			after.UpdatedAt.After(ada.UpdatedAt.Time), "kept %v", after.Own)
		_, err := people.In(d).Update(ctx, ada.ID, modelstest.Values(size.Key, "XXL"))
		modelstest.WantKind(t, "no option", err, store.Invalid)
		modelstest.Must(people.In(d).Update(ctx, ada.ID, modelstest.Values(size.Key, "")))(t)
		modelstest.Want(t, "left", len(modelstest.Must(d.Person(ctx, ada.ID))(t).Own), 1)
		modelstest.Must(people.In(d).ChangeOwnField(ctx, size.Key,
			people.OwnFieldInput{Label: "Size", Options: []string{"S"}}, &size.CreatedAt))(t)
		modelstest.Answers(people.In(d).ChangeOwnField(ctx, size.Key,
			people.OwnFieldInput{Label: "X", Options: []string{"S"}}, &size.CreatedAt))(t, "an outdated field", store.Stale)
		_, foreign := modelstest.ForeignOwner(t, f)
		stranger := f.Directory(modelstest.Must(f.EventBy(ctx, foreign))(t).OrganizationID, modelstest.Tester)
		modelstest.Answers(people.In(stranger).DeleteOwnField(ctx, since.Key))(t, "another organization", store.NotFound)
		modelstest.Want(t, "values went along", modelstest.Must(people.In(d).DeleteOwnField(ctx, since.Key))(t), 1)
		_, err = people.In(d).Update(ctx, ada.ID, modelstest.Values(since.Key, "2026-01-01"))
		modelstest.WantKind(t, "a deleted field", err, store.Invalid)
	})
}

func TestAStatusIsGivenToAllWhoPass(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		for i := range 103 {
			modelstest.Fine(t, modelstest.ErrorOf(people.Of(p).AddPerson(ctx, modelstest.Values("first_name", "Ada", "last_name",
				fmt.Sprint(i), "workflow_status", []string{"", "invited", "confirmed"}[i%3]))))
		}
		other := modelstest.First(people.Of(f.Elsewhere()).AddPerson(ctx, modelstest.Values("first_name", "Ada")))(t)
		filter := people.Filter{Text: "ada", Statuses: []string{people.NoStatus, "invited"}}
		modelstest.Want(t, "moved", modelstest.Must(people.Of(p).MoveAllStatuses(ctx, filter, "invited"))(t), 35)
		modelstest.Want(t, "invited", modelstest.Must(people.In(p.Directory()).Count(ctx,
			people.Filter{Statuses: []string{"invited"}}))(t), 69)
		modelstest.Want(t, "another event's became",
			modelstest.Must(f.Elsewhere().Directory().Person(ctx, other.ID))(t).Here.WorkflowStatus, "")
		modelstest.Answers(people.Of(p).MoveAllStatuses(ctx, filter, "x"))(t, "no status", store.Invalid)
		modelstest.Want(t, "emissions", len(modelstest.ContactEmissions(t, f)), 0)
	})
}

func TestAKnownAddressIsNotAddedTwice(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, d := t.Context(), f.Directory(f.Event.OrganizationID, modelstest.Tester)
		first, known, err := people.In(d).Add(ctx, modelstest.Values("first_name", "Ada", "email", "ada@example.org"))
		modelstest.Fine(t, err)
		again, knownNow, err := people.In(d).Add(ctx, modelstest.Values("first_name", "Somebody", "email",
			" ADA@example.org "))
		modelstest.Fine(t, err)
		modelstest.Holds(t, !known && knownNow && again.ID == first.ID && again.FirstName == "Ada",
			"%t, %t, %+v", known, knownNow, again.Contact)
		_, _, err = people.In(d).Add(ctx, modelstest.Values("first_name", "x", "email", "no address"))
		modelstest.WantKind(t, "no address", err, store.Invalid)
		_, foreign := modelstest.ForeignOwner(t, f)
		there := f.Directory(modelstest.Must(f.EventBy(ctx, foreign))(t).OrganizationID, modelstest.Tester)
		if x, known, err := people.In(there).Add(ctx, modelstest.Values("first_name", "Eve", "email",
			"ada@example.org")); err != nil || known || x.ID == first.ID {
			t.Errorf("another organization's address: %t %v", known, err)
		}
	})
}

func TestABiographyIsRestored(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		d := people.In(f.Store.Directory(f.Event.OrganizationID, modelstest.Tester))
		ada := modelstest.Must(people.In(d.Directory).Create(ctx,
			modelstest.Values("first_name", "Ada", "about", "<p>One.</p>")))(t)
		change := func(field, value string) {
			ada = modelstest.Must(people.In(d.Directory).Update(ctx, ada.ID, modelstest.Values(field, value)))(t)
		}
		change("about", "<p>Two.</p>")
		change("job_title", `"about":`)
		change("about", "")
		versions := modelstest.Must(d.Biographies(ctx, &ada.Contact, nil))(t)
		texts := store.Map(versions, func(v *models.Version) string { return v.Text.Description })
		if len(texts) != 4 || texts[0] != "" || texts[1] != "<p>Two.</p>" || texts[2] != "<p>One.</p>" || versions[1].Before.Description != "<p>One.</p>" {
			t.Fatalf("%q", texts)
		}
		_, err := d.Restore(ctx, &ada.Contact, nil, versions[1].ID, new(store.At(ada.UpdatedAt.AddDate(0, 0, -1))))
		modelstest.WantKind(t, "an outdated token", err, store.Stale)
		modelstest.Answers(d.Restore(ctx, &ada.Contact, nil, store.NewID(), nil))(t, "no version", store.NotFound)
		modelstest.Must(d.Restore(ctx, &ada.Contact, nil, versions[1].ID, &ada.UpdatedAt))(t)
		modelstest.Want(t, "it is", modelstest.Must(d.Person(ctx, ada.ID))(t).About, "<p>Two.</p>")
	})
}

// The organizer of one event reads no biography that was written at another event, and none at all of a guest.
func TestBiographiesOfElsewhereAreNotRead(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		write := func(d *models.Directory, id, about string) {
			modelstest.Must(people.In(d).Update(ctx, id, modelstest.Values("about", about)))(t)
		}
		all := f.Store.Directory(f.Event.OrganizationID, modelstest.Tester)
		ada := modelstest.Must(people.In(all).Create(ctx,
			modelstest.Values("first_name", "Ada", "email", "ada@example.org")))(t)
		write(all, ada.ID, "<p>Of none.</p>")
		modelstest.Must(people.Of(f.Elsewhere()).PutAtEvent(ctx, ada.ID))(t)
		write(f.Elsewhere().Directory(), ada.ID, "<p>Secret of elsewhere.</p>")
		write(all, ada.ID, "<p>Now.</p>")

		mine := f.Store.Programme(f.Event, modelstest.Tester)
		modelstest.Fine(t, modelstest.ErrorOf(people.Of(mine).AddPerson(ctx,
			modelstest.Values("first_name", "A", "email", "ada@example.org"))))
		d := people.In(mine.Directory())
		guest := modelstest.Must(d.Person(ctx, ada.ID))(t)
		if versions := modelstest.Must(d.Biographies(ctx, &guest.Contact, []string{f.Event.ID}))(t); len(versions) != 1 ||
			versions[0].Text.Description != "<p>Now.</p>" || versions[0].Before != nil {
			t.Errorf("of a guest: %+v", versions)
		}

		modelstest.Must(people.Of(f.Programme()).PutAtEvent(ctx, ada.ID))(t)
		versions := modelstest.Must(d.Biographies(ctx, &guest.Contact, []string{f.Event.ID}))(t)
		for _, v := range versions {
			modelstest.Holds(t, v.Text.Description != "<p>Secret of elsewhere.</p>",
				"what was written at another event is a version here")
		}
		modelstest.Holds(t, len(versions) == 3 && versions[1].Text.Description == "<p>Of none.</p>",
			"of one of the event's people: %+v", versions)
	})
}
