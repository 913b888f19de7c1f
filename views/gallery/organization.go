package gallery

import (
	"strings"

	"github.com/a-h/templ"

	"lectern/models/outbox"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/views/pages"
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
	rotating := endpoint("3", plain, true)
	rotating.SealedPending = new("sealed")
	lost := endpoint("4", plain, true)
	lost.SealedSecret = ""
	s.worded("Endpoints", func(p layouts.Page, w words) templ.Component {
		return pages.Endpoints(pages.EndpointsPage{Shell: shell(p, "Webhook endpoints", w), Base: "/design",
			Rows: []*outbox.Endpoint{endpoint("1", w, true), endpoint("2", w, false), rotating, lost}})
	})
	s.add("Endpoints", "empty", func(p layouts.Page) templ.Component {
		return pages.Endpoints(pages.EndpointsPage{Shell: shell(p, "Webhook endpoints", plain), Base: "/design"})
	})
	s.add("Endpoints", "managed", func(p layouts.Page) templ.Component {
		return pages.Endpoints(pages.EndpointsPage{Shell: shell(p, "Webhook endpoints", plain), Base: "/design",
			Managed: true, Rows: []*outbox.Endpoint{endpoint("1", plain, true)}})
	})
	s.add("New endpoint", "empty", func(p layouts.Page) templ.Component {
		return pages.NewEndpoint(pages.NewEndpointPage{Shell: shell(p, "New endpoint", plain), Base: "/design"})
	})
	s.add("New endpoint", "faults", func(p layouts.Page) templ.Component {
		return pages.NewEndpoint(pages.NewEndpointPage{Shell: shell(p, "New endpoint", plain,
			components.Fault{Field: "url", Message: "must begin with https://"}), Base: "/design", URL: "ftp://" + long.email})
	})
	s.worded("Secret", func(p layouts.Page, w words) templ.Component {
		return pages.Secret(pages.SecretPage{Shell: shell(p, "The endpoint's secret", w), Base: "/design",
			Endpoint: endpoint("1", w, true), Secret: "whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"})
	})
	s.worded("Delete an endpoint", func(p layouts.Page, w words) templ.Component {
		return pages.Confirm(pages.ConfirmPage{Shell: shell(p, "Delete this endpoint?", w), Text: endpoint("1", w, true).URL,
			Points: []string{w.text}, Action: "/design", Cancel: "/design", Verb: "Delete the endpoint"})
	})
	for state, page := range inOrder(map[string]pages.CheckPage{
		"empty": {}, "valid": {Body: "{}", Header: "t=1,v1=00", Checked: true, Valid: true},
		"not valid": {Body: long.text, Header: "t=1,v1=00", Checked: true, Why: "The signature is of another body."},
	}) {
		s.add("Check a signature", state, func(p layouts.Page) templ.Component {
			page.Shell, page.Base = shell(p, "Check a signature", plain), "/design"
			return pages.Check(page)
		})
	}
	s.deliveries()
	s.staff()
}

func (s *shelf) deliveries() {
	round := func(id string, result outbox.RoundResult, w words) pages.RoundRow {
		attempt := &outbox.Delivery{ID: id, Attempt: 1, Outcome: outbox.Failure, ErrorClass: outbox.StatusError,
			ResponseStatus: new(503), ResponseExcerpt: w.text, DurationMS: new(5000), URL: "https://example.org/hooks"}
		return pages.RoundRow{
			DeliveryRound: &outbox.DeliveryRound{EmissionID: id, EventID: new("1"), EventType: "session.updated",
				ResourceID: "1", WebhookID: new("1"), URL: "https://example.org/" + w.email, Driver: "builtin",
				Attempts: []*outbox.Delivery{attempt}, Result: result, Label: "503"},
			Event: w.label, When: "20 May 2027, 09:30", Ago: "2 hours ago", Body: `{"title": "` + w.title + `"}`, Cut: true,
			Whole: "/design", Kept: true,
			Attempts: []pages.AttemptRow{{Delivery: attempt, When: "09:30:01", Status: "503", Took: "5.0 s", Why: w.text}},
		}
	}
	s.worded("Deliveries", func(p layouts.Page, w words) templ.Component {
		page := pages.DeliveriesPage{Shell: shell(p, "Delivery log", w), Base: "/design", HasEndpoints: true,
			State: "312 deliveries wait, the oldest for 4 minutes. 5 deliveries of the last hour reached nobody. Delivered by " +
				w.label + ".", Pages: pager, Filters: []pages.FilterField{{Name: "result", Label: "Result",
				Options: option("Any result")}}}
		for i, result := range []outbox.RoundResult{outbox.RoundUnderWay, outbox.RoundDelivered, outbox.RoundRejected,
			outbox.RoundFailed, outbox.RoundBlocked, outbox.HandoffAccepted} {
			page.Rows = append(page.Rows, round(string(rune('1'+i)), result, w))
		}
		return pages.Deliveries(page)
	})
	for state, page := range inOrder(map[string]pages.DeliveriesPage{"no endpoints": {},
		"nothing sent": {HasEndpoints: true}, "nothing matches": {HasEndpoints: true, Filtered: true},
		"managed": {Managed: true}}) {
		s.add("Deliveries", state, func(p layouts.Page) templ.Component {
			page.Shell, page.Base = shell(p, "Delivery log", plain), "/design"
			return pages.Deliveries(page)
		})
	}
}

func (s *shelf) staff() {
	member := func(id string, w words, you bool) pages.StaffRow {
		return pages.StaffRow{User: &staff.User{ID: id, Name: w.person, Email: w.email, Role: staff.Organizer,
			Everywhere: true, CreatedAt: at(0)}, RoleWords: []string{"Organizer at " + w.title, "Viewer at Another"}, You: you}
	}
	s.worded("Staff", func(p layouts.Page, w words) templ.Component {
		return pages.Staff(pages.StaffPage{
			Shell: shell(p, "Staff", w), Members: []pages.StaffRow{member("1", w, true), member("2", w, false)},
			Invitations: []pages.InvitationRow{{Invitation: &staff.Invitation{ID: "3", Email: w.email, Role: staff.Viewer,
				InvitedBy: w.person}, RoleWords: []string{"Viewer at every event"}, Until: "27 May 2027"}},
		})
	})
	s.add("Staff", "empty", func(p layouts.Page) templ.Component {
		return pages.Staff(pages.StaffPage{Shell: shell(p, "Staff", plain),
			Members: []pages.StaffRow{member("1", plain, true)}})
	})
	grants := func(w words) pages.Grants {
		return pages.Grants{Role: "events", Events: []pages.EventGrant{{ID: "1", Name: w.title, Role: "organizer"},
			{ID: "2", Name: "Another"}}}
	}
	s.add("Invite", "empty", func(p layouts.Page) templ.Component {
		return pages.Invite(pages.InvitePage{Shell: shell(p, "Invite", plain), Grants: pages.Grants{Role: "viewer"},
			Mailed: true})
	})
	s.worded("Invite", func(p layouts.Page, w words) templ.Component {
		sh := shell(p, "Invite", w, components.Fault{Field: "email", Message: "is staff already"},
			components.Fault{Field: "roles", Message: "must name an event"})
		g := grants(w)
		g.Faults = sh.Faults
		return pages.Invite(pages.InvitePage{Shell: sh, Email: w.email, Grants: g})
	})
	s.worded("One-time link", func(p layouts.Page, w words) templ.Component {
		return pages.Link(pages.LinkPage{Shell: shell(p, "Send this link", w), Trouble: w.text, Text: w.text,
			Link: "https://lectern.example.org/join/" + strings.Repeat("abc", 15), Back: "/design"})
	})
	s.security()
	s.worded("Member", func(p layouts.Page, w words) templ.Component {
		return pages.Member(pages.MemberPage{Shell: shell(p, w.person, w), Member: member("2", w, false), Mailed: true,
			Grants: grants(w)})
	})
	s.worded("Remove", func(p layouts.Page, w words) templ.Component {
		return pages.Confirm(pages.ConfirmPage{Shell: shell(p, "Remove "+w.person+"?", w), Text: w.text,
			Points: []string{w.text}, Action: "/design", Cancel: "/design", Stay: "Keep them", Verb: "Remove " + w.person})
	})
}

func (s *shelf) security() {
	line := func(id, actor, did, name, address string, changes ...pages.FieldChange) pages.SecurityLine {
		return pages.SecurityLine{ActivityEntry: &store.ActivityEntry{ID: id, At: at(0), Actor: actor, Door: "admin"},
			Changes: changes, Time: "09:30 UTC", Did: did, Name: name, Address: address}
	}
	s.worded("Security", func(p layouts.Page, w words) templ.Component {
		return pages.Security(pages.SecurityPage{
			Shell: shell(p, "Security", w), Base: "/design", Required: true, Own: true, Members: 12,
			Without: []string{w.person, "Cy Fischer"}, Kinds: option("Everything", "Sign-ins"), Pages: pager,
			Days: []pages.SecurityDay{{Name: "Thursday, 20 May 2027", Lines: []pages.SecurityLine{
				line("1", w.person, "signed in with their second factor", "", "2001:db8:1234:5678:9abc:def0:1234:5678"),
				line("2", "", "gave a wrong password for ", w.email, "192.0.2.1"),
				line("3", w.person, "changed what ", w.person, "192.0.2.1",
					pages.FieldChange{Field: "Role", Before: "viewer", After: "organizer"}),
			}}},
		})
	})
	for state, page := range inOrder(map[string]pages.SecurityPage{
		"not required": {Own: true, Members: 3, Without: []string{plain.person}},
		"own first":    {Members: 1, Without: []string{plain.person}},
		"all have one": {Required: true, Own: true, Members: 3}, "nothing matches": {Own: true, Members: 1, Filtered: true},
	}) {
		s.add("Security", state, func(p layouts.Page) templ.Component {
			page.Shell, page.Base, page.Kinds = shell(p, "Security", plain), "/design", option("Everything")
			return pages.Security(page)
		})
	}
}
