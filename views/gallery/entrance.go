package gallery

import (
	"github.com/a-h/templ"

	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/views/pages"
)

// entrance are the pages before and around sign-in.
func (s *shelf) entrance() {
	wrong := components.Fault{Message: "E-mail address or password is wrong."}
	s.add("Sign in", "empty", func(p layouts.Page) templ.Component {
		return pages.SignIn(pages.SignInPage{Page: plainPage(p, "Sign in")})
	})
	s.add("Sign in", "faults", func(p layouts.Page) templ.Component {
		return pages.SignIn(pages.SignInPage{Page: plainPage(p, "Sign in", wrong), Email: long.email})
	})
	s.add("Second factor", "empty", func(p layouts.Page) templ.Component {
		return pages.SecondFactor(pages.SecondFactorPage{Page: plainPage(p, "Second factor")})
	})
	s.add("Second factor", "faults", func(p layouts.Page) templ.Component {
		return pages.SecondFactor(pages.SecondFactorPage{Page: plainPage(p, "Second factor",
			components.Fault{Message: "This code is wrong or was used."})})
	})
	s.add("Set up", "empty", func(p layouts.Page) templ.Component {
		return pages.Setup(pages.SetupPage{Page: plainPage(p, "Set up")})
	})
	s.add("Set up", "after the command line", func(p layouts.Page) templ.Component {
		return pages.Setup(pages.SetupPage{Page: plainPage(p, "Set up"), There: plain.label, Events: []string{plain.title}})
	})
	s.worded("Set up", func(p layouts.Page, w words) templ.Component {
		p = plainPage(p, "Set up", components.Fault{Field: "code", Message: "is not the one in the server's log"},
			components.Fault{Field: "password", Message: "must have 10 characters or more"})
		return pages.Setup(pages.SetupPage{Page: p, Code: "abcd", Organization: w.label, Name: w.person, Email: w.email})
	})
	s.add("New event", "empty", func(p layouts.Page) templ.Component {
		return pages.NewEvent(pages.NewEventPage{Page: plainPage(p, "New event"), Starter: true,
			Zones: []string{"Europe/Lisbon"}})
	})
	s.worded("New event", func(p layouts.Page, w words) templ.Component {
		p = plainPage(p, "New event", components.Fault{Field: "slug", Message: "is taken by another event"})
		return pages.NewEvent(pages.NewEventPage{Page: p, Name: w.title, Slug: "harbour", Zone: "Europe/Lisbon",
			StartsOn: "2027-05-20", EndsOn: "2027-05-22"})
	})
	s.add("Problem", "not there", func(p layouts.Page) templ.Component {
		return layouts.Problem(layouts.Shell{Page: plainPage(p, "There is nothing here")},
			layouts.Reason{Text: "There is no page at this address.", RequestID: "5d2b9a40c701"})
	})
	s.add("Problem", "a form that came too late", func(p layouts.Page) templ.Component {
		return layouts.Problem(layouts.Shell{Page: plainPage(p, "You are signed out")},
			layouts.Reason{Text: plain.text, RequestID: "5d2b9a40c701",
				First: layouts.Step{Name: "Sign in in another tab", URL: "/design", Elsewhere: true}, Again: "/design",
				Resend: true, Kept: []components.Hidden{{Name: "title", Value: plain.title}},
				Typed: []layouts.Typed{{Label: "Title", Text: plain.title}, {Label: "Description", Text: plain.text}}, More: true})
	})
	s.worded("Problem", func(p layouts.Page, w words) templ.Component {
		return layouts.Problem(shell(p, "This form was sent before", w),
			layouts.Reason{Text: w.text, RequestID: "5d2b9a40c701",
				First: layouts.Step{Name: "Go to what it made", URL: "/design"}, Again: "/design", Resend: true,
				Typed: []layouts.Typed{{Label: "Title", Text: w.title}, {Label: w.label, Text: w.text}}, More: true})
	})
	s.add("Problem", "another role", func(p layouts.Page) templ.Component {
		return layouts.Problem(shell(p, "This page is not for your role", plain),
			layouts.Reason{Text: "It needs the role organizer. Ask an owner if you should have it. Nothing was changed.",
				RequestID: "5d2b9a40c701", Again: "/design", Resend: true,
				Typed: []layouts.Typed{{Label: "Title", Text: plain.title}}})
	})
	s.add("Problem", "a fault of ours", func(p layouts.Page) templ.Component {
		return layouts.Problem(layouts.Shell{Page: plainPage(p, "Something went wrong on our side")},
			layouts.Reason{Text: plain.text, RequestID: "5d2b9a40c701", Again: "/design"})
	})
	s.worded("Invitation", func(p layouts.Page, w words) templ.Component {
		return pages.Join(pages.JoinPage{Page: plainPage(p, "Join"), Action: "/design", By: w.person, House: w.label,
			Email: w.email, RoleWords: []string{"Organizer at " + w.title, "Viewer at Another conference"}, Name: w.person})
	})
	s.add("Invitation", "signed in as another", func(p layouts.Page) templ.Component {
		return pages.Join(pages.JoinPage{Page: plainPage(p, "Join",
			components.Fault{Field: "password", Message: "is too short"}), Action: "/design", By: "Li Wei", House: "Tide",
			Email: plain.email, RoleWords: []string{"Viewer at every event"}, SignedIn: "Li Wei"})
	})
	for state, page := range inOrder(map[string]pages.ResetPage{"with mail": {Mailed: true}, "without mail": {},
		"sent": {Mailed: true, Asked: true, Email: plain.email}}) {
		s.add("Forgotten password", state, func(p layouts.Page) templ.Component {
			page.Page = plainPage(p, "Reset your password")
			return pages.Reset(page)
		})
	}
	s.add("New password", "empty", func(p layouts.Page) templ.Component {
		return pages.NewPassword(pages.ResetPage{Page: plainPage(p, "New password"), Action: "/design", Email: plain.email})
	})
	s.add("New password", "faults", func(p layouts.Page) templ.Component {
		return pages.NewPassword(pages.ResetPage{Page: plainPage(p, "New password",
			components.Fault{Field: "password", Message: "is too short"}), Action: "/design", Email: long.email})
	})
	s.worded("Account", func(p layouts.Page, w words) templ.Component {
		return pages.Account(pages.AccountPage{
			Shell: shell(p, "Your account", w), Email: w.email, Roles: []string{"Organizer at " + w.title},
			SecondFactor: "20 May 2027",
			Logins: []pages.LoginRow{{ID: "1", Browser: "Firefox on Linux", Address: "192.0.2.1", LastSeen: "just now",
				Since: "20 May 2027", Here: true}, {ID: "2", Browser: w.label, Address: "2001:db8:1234:5678:9abc:def0:1234:5678",
				LastSeen: "2 days ago", Since: "1 May 2027"}},
		})
	})
	s.add("Account", "faults", func(p layouts.Page) templ.Component {
		return pages.Account(pages.AccountPage{Shell: shell(p, "Your account", plain,
			components.Fault{Field: "password", Message: "is too short"}), Email: plain.email})
	})
	setUp := pages.FactorPage{
		Secret: "JBSWY3DPEHPK3PXP", Groups: []string{"JBSW", "Y3DP", "EHPK", "3PXP"}, Address: "otpauth://totp/Lectern",
		Code:      components.QRCode{Size: 21, Path: "M0 0h7v7h-7zM14 0h7v7h-7zM0 14h7v7h-7zM9 9h3v3h-3z"},
		Elsewhere: "2 other browsers", SignOut: true,
	}
	owed := setUp
	owed.Owed = true
	for state, page := range inOrder(map[string]pages.FactorPage{
		"off": setUp, "on": {On: true}, "on and required": {On: true, Required: true}, "owed": {Owed: true},
		"owed, set up": owed,
		"turned on":    {On: true, Recovery: []string{"aaaa-bbbb", "cccc-dddd", "eeee-ffff"}, SignOut: true},
	}) {
		s.add("Second factor of the account", state, func(p layouts.Page) templ.Component {
			page.Shell = shell(p, "Second factor", plain)
			return pages.Factor(page)
		})
	}
}
