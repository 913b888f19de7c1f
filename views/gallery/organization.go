package gallery

import (
	"strings"

	"lectern/models/outbox"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/views/pages"
	"lectern/views/records"
	"lectern/views/toolbar"
)

// organization are the pages of the organization.
func (s *shelf) organization() {
	endpoint := func(id string, w words, active bool) *outbox.Endpoint {
		address := "https://example.org/hooks"
		if w.state == long.state {
			address += "/" + strings.Repeat("unbroken", 20)
		}
		return &outbox.Endpoint{ID: id, URL: address, SealedSecret: "sealed", IsActive: active, CreatedAt: at(-900),
			UpdatedAt: at(0)}
	}
	rotating, lost := endpoint("3", plain, true), endpoint("4", plain, true)
	rotating.SealedPending, lost.SealedSecret = new("sealed"), ""
	of(s, "Endpoints", "Webhook endpoints", pages.Endpoints).
		worded(func(w words) pages.EndpointsPage {
			return pages.EndpointsPage{Base: here,
				Rows: []*outbox.Endpoint{endpoint("1", w, true), endpoint("2", w, false), rotating, lost}}
		}).
		is("empty", pages.EndpointsPage{Base: here}).
		is("managed", pages.EndpointsPage{Base: here, Managed: true, Rows: []*outbox.Endpoint{endpoint("1", plain, true)}})
	s.endpoint(endpoint)
	of(s, "New endpoint", "New endpoint", pages.NewEndpoint).
		is("empty", pages.NewEndpointPage{Base: here}).
		is("faults", pages.NewEndpointPage{Base: here, URL: "ftp://" + long.email}, "url", "must begin with https://")
	of(s, "Secret", "The endpoint's secret", pages.Secret).worded(func(w words) pages.SecretPage {
		return pages.SecretPage{Base: here, Endpoint: endpoint("1", w, true),
			Secret: "whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"}
	})
	of(s, "Delete an endpoint", "Delete this endpoint?", layouts.Confirm).worded(func(w words) layouts.ConfirmPage {
		return layouts.ConfirmPage{Text: endpoint("1", w, true).URL, Points: []string{w.text}, Action: here, Cancel: here,
			Verb: "Delete the endpoint"}
	})
	of(s, "Check a signature", "Check a signature", pages.Check).
		is("empty", pages.CheckPage{Base: here}).
		is("valid", pages.CheckPage{Base: here, Body: "{}", Header: "t=1,v1=00", Checked: true, Valid: true}).
		is("not valid", pages.CheckPage{Base: here, Body: long.text, Header: "t=1,v1=00", Checked: true,
			Why: "The signature is of another body."})
	s.deliveries()
	s.staff()
	s.providers()
	s.status()
}

// endpoint is the page of one endpoint, with its test events.
func (s *shelf) endpoint(made func(string, words, bool) *outbox.Endpoint) {
	page := func(e *outbox.Endpoint, test *pages.TestRow) pages.EndpointPage {
		return pages.EndpointPage{Endpoint: e, Base: here, Here: here, Added: "1 Nov 2026", Log: here, Test: test,
			Types: option("decision.committed", "session.updated")}
	}
	test := func(w words, result outbox.RoundResult) *pages.TestRow {
		row := galleryRound("9", result, w)
		return &pages.TestRow{Test: &outbox.Test{Round: row.DeliveryRound}, Type: "decision.committed", Ago: "just now",
			Row: &row, Log: here}
	}
	of(s, "Endpoint", "example.org", pages.Endpoint).
		worded(func(w words) pages.EndpointPage {
			p := page(made("1", w, true), test(w, outbox.RoundFailed))
			p.Rows = []pages.RoundRow{galleryRound("1", outbox.RoundDelivered, w), galleryRound("2", outbox.RoundFailed, w)}
			return p
		}).
		is("never used", page(made("1", plain, true), nil)).
		is("test in line", page(made("1", plain, true),
			&pages.TestRow{Test: &outbox.Test{InLine: true}, Type: "session.created", Ago: "just now"})).
		is("test under way", page(made("1", plain, true), test(plain, outbox.RoundUnderWay))).
		is("off", page(made("2", plain, false),
			&pages.TestRow{Test: &outbox.Test{}, Type: "session.created", Ago: "2 hours ago"})).
		is("managed", pages.EndpointPage{Endpoint: made("1", plain, true), Base: here, Here: here, Log: here, Managed: true})
}

// galleryRound is a round of the delivery log.
func galleryRound(id string, result outbox.RoundResult, w words) pages.RoundRow {
	attempt := &outbox.Delivery{ID: id, Attempt: 1, Outcome: outbox.Failure, ErrorClass: outbox.StatusError,
		ResponseStatus: new(503), ResponseExcerpt: w.text, DurationMS: new(5000), URL: "https://example.org/hooks"}
	return pages.RoundRow{
		DeliveryRound: &outbox.DeliveryRound{EmissionID: id, EventID: new("1"), EventType: "session.updated",
			ResourceID: "1", WebhookID: new("1"), URL: "https://example.org/" + w.email, Driver: "builtin",
			Attempts: []*outbox.Delivery{attempt}, Result: result, Label: "503", IsTest: id == "9"},
		Event: w.label, When: "20 May 2027, 09:30", Ago: "2 hours ago", Record: "S-12 " + w.title,
		Sent: `{"title":"` + w.title + `"}`,
		Body: "{\n  \"title\": \"" + w.title + "\"\n}", Cut: id != "1", Whole: here, Kept: true,
		Attempts: []pages.AttemptRow{{Delivery: attempt, When: "09:30:01", Status: "503", Took: "5.0 s", Why: w.text,
			Answer: w.text}},
	}
}

func (s *shelf) deliveries() {
	of(s, "Deliveries", "Delivery log", pages.Deliveries).
		worded(func(w words) pages.DeliveriesPage {
			page := pages.DeliveriesPage{Base: here, HasEndpoints: true, Pages: pager,
				State: "312 deliveries wait, the oldest for 4 minutes. 5 deliveries of the last hour reached nobody. " +
					"Delivered by " + w.label + ".",
				Filters: []toolbar.FilterField{{Name: "result", Label: "Result", Options: option("Any result")}}}
			for i, result := range []outbox.RoundResult{outbox.RoundUnderWay, outbox.RoundDelivered, outbox.RoundRejected,
				outbox.RoundFailed, outbox.RoundBlocked, outbox.HandoffAccepted} {
				page.Rows = append(page.Rows, galleryRound(string(rune('1'+i)), result, w))
			}
			return page
		}).
		is("no endpoints", pages.DeliveriesPage{Base: here}).
		is("nothing sent", pages.DeliveriesPage{Base: here, HasEndpoints: true}).
		is("nothing matches", pages.DeliveriesPage{Base: here, HasEndpoints: true, Filtered: true}).
		is("managed", pages.DeliveriesPage{Base: here, Managed: true})
}

func (s *shelf) staff() {
	member := func(id string, w words, you bool) pages.StaffRow {
		return pages.StaffRow{User: &staff.User{ID: id, Name: w.person, Email: w.email, Role: staff.Organizer,
			Everywhere: true, CreatedAt: at(0)}, RoleWords: []string{"Organizer at " + w.title, "Viewer at Another"}, You: you}
	}
	of(s, "Staff", "Staff", pages.Staff).
		worded(func(w words) pages.StaffPage {
			return pages.StaffPage{
				Members: []pages.StaffRow{member("1", w, true), member("2", w, false)},
				Invitations: []pages.InvitationRow{{Invitation: &staff.Invitation{ID: "3", Email: w.email, Role: staff.Viewer,
					InvitedBy: w.person}, RoleWords: []string{"Viewer at every event"}, Until: "27 May 2027"}},
			}
		}).
		is("empty", pages.StaffPage{Members: []pages.StaffRow{member("1", plain, true)}})
	of(s, "Mail to staff", "Mail to staff", pages.StaffMail).worded(func(w words) pages.StaffMailPage {
		return pages.StaffMailPage{Pages: components.Pages{From: "1", To: "2", Total: "2", What: "mails"}, Rows: []pages.StaffMailRow{
			{Email: w.email, Subject: "Join the programme of " + w.title, Created: "22 Nov 2026, 10:00", State: "Sent", Tone: "good"},
			{Email: w.email, Subject: "Join the programme of Tideline", Created: "22 Nov 2026, 09:00", State: "Refused, 550 5.1.1",
				Why: "The address does not exist", Tone: "bad"}}}
	}).is("none", pages.StaffMailPage{})
	const taken, nowhere = "is staff already", "must name an event"
	grants := func(w words, faults ...components.Fault) pages.Grants {
		return pages.Grants{Role: "events", Faults: faults,
			Events: []pages.EventGrant{{ID: "1", Name: w.title, Role: "organizer"}, {ID: "2", Name: "Another"}}}
	}
	of(s, "Invite", "Invite", pages.Invite).
		is("empty", pages.InvitePage{Grants: pages.Grants{Role: "viewer"}, Mailed: true}).
		worded(func(w words) pages.InvitePage {
			return pages.InvitePage{Emails: w.email, Grants: grants(w, components.Fault{Field: "roles", Message: nowhere})}
		}, "email", taken, "roles", nowhere)
	of(s, "Invitations", "Invitations", pages.Invited).
		worded(func(w words) pages.InvitedPage {
			return pages.InvitedPage{Says: "2 invitations are on the way. 1 address needs correcting, below.", Action: here, Field: "email", Back: here, Wrong: []string{"ada(at)example.org"},
				Rows: []pages.InvitedRow{{Name: w.person, Email: w.email, Became: "Invited"}, {Email: w.email, Became: "Stands twice in the list"},
					{Name: w.person, Email: w.email, Became: "Works here already", MemberURL: here, Roles: []string{"Viewer at " + w.title}},
					{Email: "ada(at)example.org", Wrong: true, Became: "Must be an address such as ana@example.org."}}}
		}).
		is("links to copy", pages.InvitedPage{Says: "1 person is invited. Hand each their link.", Copies: true, Back: here, Rows: []pages.InvitedRow{{Name: plain.person,
			Email: plain.email, Became: "Invited", Link: "https://lectern.example.org/invitations/" + strings.Repeat("abc", 14)}}}).
		is("nobody", pages.InvitedPage{Says: "Nobody was invited.", Back: here, Action: here, Field: "email", Wrong: []string{"ada", "bob"}, Rows: []pages.InvitedRow{
			{Email: "ada", Wrong: true, Became: "Must be an address such as ana@example.org."},
			{Email: "bob", Wrong: true, Became: "Must be an address such as ana@example.org."}}})
	of(s, "One-time link", "Send this link", pages.Link).worded(func(w words) pages.LinkPage {
		return pages.LinkPage{Trouble: w.text, Text: w.text, Back: here,
			Link: "https://lectern.example.org/join/" + strings.Repeat("abc", 15)}
	})
	s.security()
	of(s, "Member", "", pages.Member).worded(func(w words) pages.MemberPage {
		return pages.MemberPage{Shell: in(w.person), Member: member("2", w, false), Mailed: true, Grants: grants(w)}
	})
	of(s, "Remove", "", layouts.Confirm).worded(func(w words) layouts.ConfirmPage {
		return layouts.ConfirmPage{Shell: in("Remove " + w.person + "?"), Text: w.text, Points: []string{w.text},
			Action: here, Cancel: here, Stay: "Keep them", Verb: "Remove " + w.person}
	})
}

func (s *shelf) security() {
	line := func(id, actor, did, name, address string, changes ...records.FieldChange) pages.SecurityLine {
		return pages.SecurityLine{ActivityEntry: &store.ActivityEntry{ID: id, At: at(0), Actor: actor, Door: "admin"},
			Changes: changes, Time: "09:30 UTC", Did: did, Name: name, Address: address}
	}
	state := func(required, own, filtered bool, members int, without ...string) pages.SecurityPage {
		return pages.SecurityPage{Base: here, Required: required, Own: own, Filtered: filtered, Members: members,
			Without: without, Kinds: option("Everything"), People: option("Everybody", plain.person), CSV: here,
			Kept: option("For good", "1 year")}
	}
	of(s, "Security", "Security", pages.Security).
		worded(func(w words) pages.SecurityPage {
			page := state(true, true, false, 12, w.person, "Cy Fischer")
			page.Kinds, page.Pages = option("Everything", "Sign-ins"), pager
			page.Days = []pages.SecurityDay{{Name: "Thursday, 20 May 2027", Lines: []pages.SecurityLine{
				line("1", w.person, "signed in with their second factor", "", longAddress),
				line("2", "", "gave a wrong password for ", w.email, "192.0.2.1"),
				line("3", w.person, "changed what ", w.person, "192.0.2.1",
					records.FieldChange{Field: "Role", Before: "viewer", After: "organizer"}),
			}}}
			return page
		}).
		is("not required", state(false, true, false, 3, plain.person)).
		is("own first", state(false, false, false, 1, plain.person)).
		is("all have one", state(true, true, false, 3)).
		is("nothing matches", state(false, true, true, 1))
}
