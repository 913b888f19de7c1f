package staff

import (
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/identity/identitytest"
)

func TestStaffSignInWithTheirOrganizationsAccounts(t *testing.T) { Journey(t, providerJourney) }

func providerJourney(t *testing.T, s *Site) {
	s.Env = append(s.Env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
	ada := s.Owner()
	p := identitytest.Start(t, s.Base+"/sign-in/back")
	p.Has("ada", identitytest.Account{Email: "ada@example.org", Name: "Ada Byron"})
	p.Has("li", identitytest.Account{Email: "li@example.org", Name: "Li Wei", Groups: []string{"programme"}})

	ada.Follow("Security")
	ada.Follow("Identity providers")
	ada.Sees("No identity provider", "Staff sign in with a password of their own here.")
	ada.Accessible("providers-none")
	ada.Follow("Add the first one")
	ada.Sees(s.Base + "/sign-in/back")
	ada.Fill("Name", "Harbour accounts")
	ada.Fill("Issuer", p.Issuer+"/")
	ada.Fill("Client ID", identitytest.ClientID)
	ada.Fill("Client secret", identitytest.Secret)
	ada.Fill("E-mail domains", "example.org")
	ada.Accessible("provider-new")
	ada.Press("Add the provider")
	ada.Press("Test it")
	ada.Sees("calls itself", "the issuer must be entered exactly as it says")
	ada.Fill("Issuer", p.Issuer)
	ada.Press("Save")
	ada.Press("Test it")
	ada.Sees("Harbour accounts answers, and its keys are there.")
	ada.Press("Turn on")
	ada.Sees("Its button stands on the sign-in page now.")
	ada.Accessible("provider")

	// The member with the address that the provider vouches for is linked.
	here := s.Window()
	here.Visit("/sign-in")
	here.Accessible("sign-in-with-providers")
	enters(here, "ada")
	here.Path("/admin/")
	here.Visit("/admin/account")
	here.Sees("Ada Byron", "Sign-in by your organization", "Harbour accounts", "ada@example.org")
	here.Accessible("account-linked")

	li := s.Window()
	li.Visit("/sign-in")
	enters(li, "li")
	li.Sees("Harbour accounts knows you, but none of your groups is let in here. Ask an owner to invite you.")
	li.Accessible("sign-in-refused")
	here.Visit("/admin/security/providers")
	here.Follow("Harbour accounts")
	here.Fill("Claim with the groups", "groups")
	here.Fill("Group", "programme")
	here.Choose("What the group may do", "Organizer at Harbour")
	here.Press("Save")
	here.Sees("Saved.")
	li.Visit("/admin/account") // where she is led to afterwards
	enters(li, "li")
	li.Path("/admin/account")
	li.Sees("Li Wei", "Organizer at Harbour", "Your groups there say what you may do here")

	here.Visit("/admin/security/providers")
	here.Press("Turn passwords off")
	here.Sees("Staff sign in by the identity providers alone now.")
	here.Accessible("providers-alone")
	ada.Visit("/admin/account")
	ada.Path("/sign-in")
	ada.DoesNotSee("Password")
	ada.Accessible("sign-in-by-providers-alone")
	if _, stderr, err := s.Try("", "user", "allow-passwords"); err != nil {
		t.Fatal(stderr)
	}
	ada.SignIn("ada@example.org")
	ada.Follow("Security")
	ada.Sees("The command line turned passwords on again", "Li Wei signed in with Harbour accounts",
		"Ada Byron turned passwords off")
}

// enters signs somebody in at the provider, from the page of the sign-in.
func enters(w *Window, name string) {
	w.T.Helper()
	w.Press("Sign in with Harbour accounts")
	w.Fill("Username:", name)
	w.Fill("Password:", identitytest.Password)
	w.Press("Login")
}
