package gallery

import (
	"strings"

	"lectern/models/outbox"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages/invite"
	staffpages "lectern/views/pages/staff"
	"lectern/views/pages/webhooks"
	"lectern/views/records"
	"lectern/views/toolbar"
)

// organization adds the pages of the organization.
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
	of(s, "Endpoints", "Webhook endpoints", webhooks.Endpoints).
		worded(func(w words) webhooks.EndpointsPage {
			return webhooks.EndpointsPage{Base: here,
				Rows: []*outbox.Endpoint{endpoint("1", w, true), endpoint("2", w, false), rotating, lost}}
		}).
		is("empty", webhooks.EndpointsPage{Base: here}).
		is("managed", webhooks.EndpointsPage{Base: here, Managed: true, Rows: []*outbox.Endpoint{endpoint("1", plain, true)}})
	s.endpoint(endpoint)
	of(s, "New endpoint", "New endpoint", webhooks.NewEndpoint).
		is("empty", webhooks.NewEndpointPage{Base: here}).
		is("faults", webhooks.NewEndpointPage{Base: here, URL: "ftp://" + long.email}, "url", "must begin with https://")
	of(s, "Secret", "The endpoint's secret", webhooks.Secret).worded(func(w words) webhooks.SecretPage {
		return webhooks.SecretPage{Base: here, Endpoint: endpoint("1", w, true),
			Secret: "whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"}
	})
	of(s, "Check a signature", "Check a signature", webhooks.Check).
		is("empty", webhooks.CheckPage{Base: here}).
		is("valid", webhooks.CheckPage{Base: here, Body: "{}", Header: "t=1,v1=00", Checked: true, Valid: true}).
		is("not valid", webhooks.CheckPage{Base: here, Body: long.text, Header: "t=1,v1=00", Checked: true,
			Why: "The signature is of another body."})
	s.deliveries()
	s.staff()
	s.providers()
	s.status()
}

// endpoint adds the page of one endpoint, with its test events.
func (s *shelf) endpoint(made func(string, words, bool) *outbox.Endpoint) {
	page := func(e *outbox.Endpoint, test *webhooks.TestRow) webhooks.EndpointPage {
		return webhooks.EndpointPage{Endpoint: e, Base: here, Here: here, Added: "1 Nov 2026", Log: here, Test: test,
			Types: option("decision.committed", "session.updated")}
	}
	test := func(w words, result outbox.RoundResult) *webhooks.TestRow {
		row := galleryRound("9", result, w)
		return &webhooks.TestRow{Test: &outbox.Test{Round: row.DeliveryRound}, Type: "decision.committed", Ago: "just now",
			Row: &row, Log: here}
	}
	of(s, "Endpoint", "example.org", webhooks.Endpoint).
		worded(func(w words) webhooks.EndpointPage {
			p := page(made("1", w, true), test(w, outbox.RoundFailed))
			p.Rows = []webhooks.RoundRow{galleryRound("1", outbox.RoundDelivered, w), galleryRound("2", outbox.RoundFailed, w)}
			return p
		}).
		is("test in line", page(made("1", plain, true),
			&webhooks.TestRow{Test: &outbox.Test{InLine: true}, Type: "session.created", Ago: "just now"})).
		is("off", page(made("2", plain, false),
			&webhooks.TestRow{Test: &outbox.Test{}, Type: "session.created", Ago: "2 hours ago"})).
		is("managed", webhooks.EndpointPage{Endpoint: made("1", plain, true), Base: here, Here: here, Log: here, Managed: true})
}

// galleryRound returns a round of the delivery log.
func galleryRound(id string, result outbox.RoundResult, w words) webhooks.RoundRow {
	attempt := &outbox.Delivery{ID: id, Attempt: 1, Outcome: outbox.Failure, ErrorClass: outbox.StatusError,
		ResponseStatus: new(503), ResponseExcerpt: w.text, DurationMS: new(5000), URL: "https://example.org/hooks"}
	return webhooks.RoundRow{
		DeliveryRound: &outbox.DeliveryRound{Delivery: &outbox.Delivery{EmissionID: id, EventID: new("1"),
			EventType: "session.updated", ResourceID: "1", WebhookID: new("1"), URL: "https://example.org/" + w.email,
			Driver: "builtin", IsTest: id == "9"}, Attempts: []*outbox.Delivery{attempt}, Result: result, Label: "503"},
		Event: w.label, When: "20 May 2027, 09:30", Ago: "2 hours ago", Record: "S-12 " + w.title,
		Sent: `{"title":"` + w.title + `"}`,
		Body: "{\n  \"title\": \"" + w.title + "\"\n}", Cut: id != "1", Whole: here, Kept: true,
		Attempts: []webhooks.AttemptRow{{Delivery: attempt, When: "09:30:01", Status: "503", Took: "5.0 s", Why: w.text,
			Answer: w.text}},
	}
}

func (s *shelf) deliveries() {
	of(s, "Deliveries", "Delivery log", webhooks.Deliveries).
		worded(func(w words) webhooks.DeliveriesPage {
			page := webhooks.DeliveriesPage{Base: here, HasEndpoints: true, Pages: pager,
				State: "312 deliveries wait, the oldest for 4 minutes. 5 deliveries of the last hour reached nobody. " +
					"Delivered by " + w.label + ".",
				Filters: []toolbar.FilterField{{Name: "result", Label: "Result", Options: option("Any result")}}}
			for i, result := range []outbox.RoundResult{outbox.RoundUnderWay, outbox.RoundDelivered, outbox.RoundRejected,
				outbox.RoundFailed, outbox.RoundBlocked, outbox.HandoffAccepted} {
				page.Rows = append(page.Rows, galleryRound(string(rune('1'+i)), result, w))
			}
			return page
		}).
		is("no endpoints", webhooks.DeliveriesPage{Base: here}).
		is("nothing matches", webhooks.DeliveriesPage{Base: here, HasEndpoints: true, Filtered: true})
}

func (s *shelf) staff() {
	member := func(id string, w words, you bool) staffpages.Row {
		return staffpages.Row{User: &staff.User{ID: id, Name: w.person, Email: w.email, Role: staff.Organizer,
			Everywhere: true, CreatedAt: at(0)}, RoleWords: []string{"Organizer at " + w.title, "Viewer at Another"}, You: you}
	}
	of(s, "Staff", "Staff", staffpages.Staff).
		worded(func(w words) staffpages.Page {
			return staffpages.Page{
				Members: []staffpages.Row{member("1", w, true), member("2", w, false)},
				Invitations: []staffpages.InvitationRow{{Invitation: &staff.Invitation{ID: "3", Email: w.email, Role: staff.Viewer,
					InvitedBy: w.person}, RoleWords: []string{"Viewer at every event"}, Until: "27 May 2027"}},
			}
		}).
		is("empty", staffpages.Page{Members: []staffpages.Row{member("1", plain, true)}})
	of(s, "Mail to staff", "Mail to staff", staffpages.Mail).worded(func(w words) staffpages.MailPage {
		return staffpages.MailPage{Pages: components.Pages{From: "1", To: "2", Total: "2", What: "mails"}, Rows: []staffpages.MailRow{
			{Email: w.email, Subject: "Join the programme of " + w.title, Created: "22 Nov 2026, 10:00", State: "Sent", Tone: "good"},
			{Email: w.email, Subject: "Join the programme of Tideline", Created: "22 Nov 2026, 09:00", State: "Refused, 550 5.1.1",
				Why: "The address does not exist", Tone: "bad"}}}
	}).is("none", staffpages.MailPage{})
	const taken, nowhere = "is staff already", "must name an event"
	grants := func(w words, faults ...components.Fault) staffpages.Grants {
		return staffpages.Grants{Role: "events", Faults: faults,
			Events: []staffpages.EventGrant{{ID: "1", Name: w.title, Role: "organizer"}, {ID: "2", Name: "Another"}}}
	}
	of(s, "Invite", "Invite", staffpages.Invite).
		is("empty", staffpages.InvitePage{Grants: staffpages.Grants{Role: "viewer"}, Mailed: true}).
		worded(func(w words) staffpages.InvitePage {
			return staffpages.InvitePage{Emails: w.email, Grants: grants(w, components.Fault{Field: "roles", Message: nowhere})}
		}, "email", taken, "roles", nowhere)
	of(s, "Invitations", "Invitations", invite.Invited).
		worded(func(w words) invite.InvitedPage {
			return invite.InvitedPage{Says: "2 invitations are on the way. 1 address needs correcting, below.", Action: here, Field: "email", Back: here, Wrong: []string{"ada(at)example.org"},
				Rows: []invite.InvitedRow{{Name: w.person, Email: w.email, Became: "Invited"}, {Email: w.email, Became: "Stands twice in the list"},
					{Name: w.person, Email: w.email, Became: "Works here already", MemberURL: here, Roles: []string{"Viewer at " + w.title}},
					{Email: "ada(at)example.org", Wrong: true, Became: "Must be an address such as ana@example.org."}}}
		}).
		is("links to copy", invite.InvitedPage{Says: "1 person is invited. Hand each their link.", Copies: true, Back: here, Rows: []invite.InvitedRow{{Name: plain.person,
			Email: plain.email, Became: "Invited", Link: "https://lectern.example.org/invitations/" + strings.Repeat("abc", 14)}}})
	of(s, "One-time link", "Send this link", invite.Link).worded(func(w words) invite.LinkPage {
		return invite.LinkPage{NotMailed: true, Text: w.text, Back: here,
			Link: "https://lectern.example.org/join/" + strings.Repeat("abc", 15)}
	})
	s.security()
	of(s, "Member", "", staffpages.Member).worded(func(w words) staffpages.MemberPage {
		return staffpages.MemberPage{Shell: in(w.person), Member: member("2", w, false), Mailed: true, Grants: grants(w)}
	})
}

func (s *shelf) security() {
	line := func(id, actor, did, name, address string, changes ...records.FieldChange) staffpages.SecurityLine {
		return staffpages.SecurityLine{ActivityEntry: &store.ActivityEntry{ID: id, At: at(0), Actor: actor, Door: "admin"},
			Changes: changes, Time: "09:30 UTC", Did: did, Name: name, Address: address}
	}
	state := func(required, own, filtered bool, members int, without ...string) staffpages.SecurityPage {
		return staffpages.SecurityPage{Base: here, Required: required, Own: own, Filtered: filtered, Members: members,
			Without: without, Kinds: option("Everything"), People: option("Everybody", plain.person), CSV: here,
			Kept: option("For good", "1 year")}
	}
	of(s, "Security", "Security", staffpages.Security).
		worded(func(w words) staffpages.SecurityPage {
			page := state(true, true, false, 12, w.person, "Cy Fischer")
			page.Kinds, page.Pages = option("Everything", "Sign-ins"), pager
			page.Days = []staffpages.SecurityDay{{Name: "Thursday, 20 May 2027", Lines: []staffpages.SecurityLine{
				line("1", w.person, "signed in with their second factor", "", longAddress),
				line("2", "", "gave a wrong password for ", w.email, "192.0.2.1"),
				line("3", w.person, "changed what ", w.person, "192.0.2.1",
					records.FieldChange{Field: "Role", Before: "viewer", After: "organizer"}),
			}}}
			return page
		}).
		is("own first", state(false, false, false, 1, plain.person)).
		is("all have one", state(true, true, false, 3)).
		is("nothing matches", state(false, true, true, 1))
}
