package gallery

import (
	"github.com/a-h/templ"

	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/views/pages/settings"
	"lectern/views/pages/staff"
)

// entrance adds the pages of sign-in and around it.
func (s *shelf) entrance() {
	of(s, "Sign in", "Sign in", staff.SignIn).
		is("empty", staff.SignInPage{}).
		is("with passkeys", staff.SignInPage{Passkeys: "localhost"}).
		is("faults", staff.SignInPage{Email: long.email}, "", "E-mail address or password is wrong.").
		is("with providers", staff.SignInPage{Ways: galleryWays}).
		is("without passwords", staff.SignInPage{Ways: galleryWays, NoPassword: true}, "",
			"Harbour accounts did not answer in time.")
	of(s, "On the way to a provider", "Go on to Harbour accounts", staff.Leaving).
		is("filled", staff.LeavingPage{Name: galleryWays[0].Name, Address: here})
	of(s, "Second factor", "Second factor", staff.SecondFactor).
		is("empty", staff.SecondFactorPage{App: true}).
		is("with a passkey", staff.SecondFactorPage{App: true, Passkey: "{}", Host: "localhost"}).
		is("with a passkey of elsewhere", staff.SecondFactorPage{Why: plain.text}).
		is("faults", staff.SecondFactorPage{}, "", "This code is wrong or was used.")
	of(s, "Set up", "Set up", staff.Setup).
		is("empty", staff.SetupPage{}).
		is("after the command line", staff.SetupPage{There: plain.label, Events: []string{plain.title}}).
		worded(func(w words) staff.SetupPage {
			return staff.SetupPage{Code: "abcd", Organization: w.label, Name: w.person, Email: w.email}
		}, "code", "is not the one in the server's log", "password", "must have 10 characters or more")
	of(s, "New event", "New event", settings.NewEvent).
		is("empty", settings.NewEventPage{Starter: true, Zones: []string{"Europe/Lisbon"}}).
		is("the first one", settings.NewEventPage{Starter: true, First: true, Zones: []string{"Europe/Lisbon"}}).
		worded(func(w words) settings.NewEventPage {
			return settings.NewEventPage{Name: w.title, Slug: "harbour", Zone: "Europe/Lisbon", StartsOn: "2027-05-20",
				EndsOn: "2027-05-22"}
		}, "slug", "is taken by another event")
	of(s, "Copy of an event", "Copy an event", settings.CopyEvent).
		is("no days", settings.CopyEventPage{Action: here, Of: "Harbour", Name: "Harbour"}).
		worded(func(w words) settings.CopyEventPage {
			return settings.CopyEventPage{Action: here, Of: w.title, Name: w.title, Slug: "harbour-2028", StartsOn: "2028-05-18",
				HasDays: true}
		}, "slug", "is taken by another event", "starts_on", "is too far away")
	s.problems()
	of(s, "Invitation", "Join", staff.Join).
		worded(func(w words) staff.JoinPage {
			return staff.JoinPage{Action: here, By: w.person, House: w.label, Email: w.email, Name: w.person,
				RoleWords: []string{"Organizer at " + w.title, "Viewer at Another conference"}}
		}).
		is("signed in as another", staff.JoinPage{Action: here, By: "Li Wei", House: "Tide", Email: plain.email,
			RoleWords: []string{"Viewer at every event"}, SignedIn: "Li Wei"}, "password", "is too short").
		is("with providers", staff.JoinPage{Action: here, House: "Tide", Email: plain.email, Ways: galleryWays}).
		is("without passwords", staff.JoinPage{Action: here, House: "Tide", Email: plain.email, Ways: galleryWays,
			NoPassword: true})
	of(s, "Forgotten password", "Reset your password", staff.Reset).
		is("with mail", staff.ResetPage{Mailed: true}).
		is("without mail", staff.ResetPage{}).
		is("sent", staff.ResetPage{Mailed: true, Asked: true, Email: plain.email})
	of(s, "New password", "New password", staff.NewPassword).
		is("empty", staff.ResetPage{Action: here, Email: plain.email}).
		is("faults", staff.ResetPage{Action: here, Email: long.email}, "password", "is too short")
	s.account()
}

// outside and inside are error pages before and after sign-in.
type (
	outside struct {
		layouts.Page
		layouts.Failure
	}
	inside struct {
		layouts.Shell
		layouts.Failure
	}
)

func (s *shelf) problems() {
	const id = "5d2b9a40c701"
	of(s, "Problem", "There is nothing here", func(p outside) templ.Component {
		return layouts.Problem(layouts.Shell{Page: p.Page}, p.Failure)
	}).
		is("not there", outside{Failure: layouts.Failure{Text: "There is no page at this address.", RequestID: id}}).
		is("a form that came too late", outside{layouts.Page{Title: "You are signed out"}, layouts.Failure{
			Text: plain.text, RequestID: id, Again: here, Resend: true, More: true,
			First: layouts.Step{Name: "Sign in in another tab", URL: here, Elsewhere: true},
			Kept:  []components.Hidden{{Name: "title", Value: plain.title}},
			Typed: []layouts.Typed{{Label: "Title", Text: plain.title}, {Label: "Description", Text: plain.text}},
		}}).
		is("a fault of ours", outside{layouts.Page{Title: "Something went wrong on our side"},
			layouts.Failure{Text: plain.text, RequestID: id, Again: here}})
	of(s, "Problem", "This form was sent before", func(p inside) templ.Component {
		return layouts.Problem(p.Shell, p.Failure)
	}).
		worded(func(w words) inside {
			return inside{Failure: layouts.Failure{
				Text: w.text, RequestID: id, Again: here, Resend: true, More: true,
				First: layouts.Step{Name: "Go to what it made", URL: here},
				Typed: []layouts.Typed{{Label: "Title", Text: w.title}, {Label: w.label, Text: w.text}},
			}}
		})
}

func (s *shelf) account() {
	of(s, "Account", "Your account", staff.Account).
		worded(func(w words) staff.AccountPage {
			return staff.AccountPage{
				Email: w.email, Roles: []string{"Organizer at " + w.title}, SecondFactor: "20 May 2027",
				Passkeys: []staff.PasskeyRow{{ID: "1", Name: w.label, Kept: "On one device", Added: "20 May 2027", LastUsed: "just now"},
					{ID: "2", Name: "Phone", Elsewhere: "old.example.org", Added: "1 May 2027", LastUsed: "never"}},
				Logins: []staff.LoginRow{
					{ID: "1", Browser: "Firefox on Linux", Address: "192.0.2.1", LastSeen: "just now", Since: "20 May 2027", Here: true},
					{ID: "2", Browser: w.label, Address: longAddress, LastSeen: "2 days ago", Since: "1 May 2027"},
				},
			}
		}).
		is("by passkey alone, at a number", staff.AccountPage{Email: plain.email, NoPasskeys: plain.text,
			Passkeys: []staff.PasskeyRow{{ID: "1", Name: "Phone", Elsewhere: "old.example.org", LastUsed: "never"}}}).
		is("faults", staff.AccountPage{Email: plain.email}, "password", "is too short").
		is("came by a provider", staff.AccountPage{Email: plain.email, ByProvider: true, NoPassword: true,
			Identities: galleryIdentities(plain)}).
		is("linked to providers", staff.AccountPage{Email: long.email, Identities: galleryIdentities(long), Ways: galleryWays},
			"link_password", "is not your password")
	s.passkeys()
	setUp := staff.FactorPage{
		Secret: "JBSWY3DPEHPK3PXP", Groups: []string{"JBSW", "Y3DP", "EHPK", "3PXP"}, Address: "otpauth://totp/Lectern",
		Code: code, Elsewhere: "2 other browsers", SignOut: true,
	}
	owed := setUp
	owed.Owed = true
	of(s, "Second factor of the account", "Second factor", staff.Factor).
		is("off", setUp).
		is("on", staff.FactorPage{On: true}).
		is("on and required", staff.FactorPage{On: true, Required: true}).
		is("owed", staff.FactorPage{Owed: true, Passkeys: true}).
		is("owed, set up", owed).
		is("turned on", staff.FactorPage{On: true, SignOut: true, Recovery: []string{"aaaa-bbbb", "cccc-dddd", "eeee-ffff"}})
}
