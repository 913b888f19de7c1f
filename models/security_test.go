package models_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/setup"
	"lectern/models/staff"
	"lectern/models/store"
)

// at returns a request from an address.
func at(t *testing.T, address string) context.Context {
	t.Helper()
	return store.WithBy(t.Context(), store.By{Door: "admin", RequestID: "request-" + address, Address: address})
}

// securityLog writes down what was noted, and returns the lines that owners see, the oldest first.
func securityLog(t *testing.T, f *modelstest.Fixture, events ...store.SecurityEvent) []string {
	t.Helper()
	modelstest.WantKind(t, "writing down", f.KeepSeen(t.Context()), 0)
	entries, _, err := f.Webhooks().SecurityLog(t.Context(), store.SecurityFilter{Events: events}, store.Page{})
	modelstest.WantKind(t, "reading", err, 0)
	var lines []string
	for _, e := range slices.Backward(entries) {
		lines = append(lines, strings.Join([]string{string(e.Event), e.Door, e.Actor, e.SubjectName, e.Address}, "|"))
	}
	return lines
}

func wantLines(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	modelstest.Holds(t, slices.Equal(got, want),
		"%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
}

func TestSignInsAndFailuresAreRecordedWithWhoAndWhere(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ada := modelstest.FirstOwner(t, f)
		secret, _ := modelstest.WithTOTP(t, f, ada, modelstest.SecretPhrase)
		bob := modelstest.Hire(t, f, ada, staff.Invitation{Email: "bob@example.org", Role: staff.Viewer, Everywhere: true})
		f.Log.Lines()
		try := func(email, password, address string) string {
			token, _, _ := f.Staff.SignIn(at(t, address), staff.SignIn{Email: email, Password: password, Address: address})
			return token
		}
		try("bob@example.org", modelstest.SecretPhrase, "192.0.2.1")
		try("bob@example.org", "wrong", "192.0.2.2")
		try("nobody@example.net", "wrong", "192.0.2.3")
		try("my p@ssword, typed in the wrong place", "x", "192.0.2.4")
		pending := try("ada@example.org", modelstest.SecretPhrase, "192.0.2.5") // half a sign-in is none
		f.Staff.SecondFactor(at(t, "192.0.2.5"), pending, "000000")
		f.Staff.SecondFactor(at(t, "192.0.2.5"), pending, modelstest.CodeAt(t, f, secret, 0))
		f.Staff.ChangePassword(at(t, "192.0.2.6"), bob, "wrong", "another password", "")

		line := func(event, actor, subject, address, facts string) string {
			parts := []string{"event=" + event, "door=admin"}
			for _, part := range [][2]string{{"actor_id", actor}, {"subject_id", subject}, {"address", address}} {
				if part[1] != "" {
					parts = append(parts, part[0]+"="+part[1])
				}
			}
			parts = append(parts, "request_id=request-"+address)
			if facts != "" {
				parts = append(parts, facts)
			}
			return strings.Join(parts, " ")
		}
		wantLines(t, "the log", f.Log.Lines(),
			line("signed_in", bob.ID, bob.ID, "192.0.2.1", "second_factor=false"),
			line("sign_in_failed", "", bob.ID, "192.0.2.2", ""),
			line("sign_in_failed", "", "", "192.0.2.3", "account=n…@e…"),
			line("sign_in_failed", "", "", "192.0.2.4", ""),
			line("second_factor_failed", "", ada.ID, "192.0.2.5", ""),
			line("signed_in", ada.ID, ada.ID, "192.0.2.5", "second_factor=true"),
			line("password_check_failed", bob.ID, bob.ID, "192.0.2.6", ""))
		got := securityLog(t, f, store.SignedIn, store.SignInFailed, store.SecondFactorFailed, store.PasswordCheckFailed)
		slices.Sort(got) // all at one instant
		wantLines(t, "the activity", got, "password_check_failed|admin|bob|bob|192.0.2.6",
			"second_factor_failed|admin||Ada|192.0.2.5", "sign_in_failed|admin||bob|192.0.2.2",
			"sign_in_failed|admin|||192.0.2.3", "sign_in_failed|admin|||192.0.2.4", "signed_in|admin|Ada|Ada|192.0.2.5",
			"signed_in|admin|bob|bob|192.0.2.1")
		modelstest.Want(t, "bob's sign-ins are taken for a change by",
			modelstest.Must(f.Webhooks().LastChangeBy(t.Context(), bob.ID))(t), "bob")
	})
}

func TestWhatStrangersFailAtFillsNeitherLogNorActivity(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ada := modelstest.FirstOwner(t, f)
		f.Log.Lines()
		attack := func() {
			for i := range 100 {
				address := fmt.Sprintf("198.51.100.%d", i)
				f.Staff.SignIn(at(t, address), staff.SignIn{Email: "ada@example.org", Password: "wrong", Address: address})
				f.Staff.SignIn(at(t, address), staff.SignIn{Email: fmt.Sprintf("%d@example.org", i), Password: "wrong",
					Address: address})
				f.Note(store.Incident{Event: store.APIKeyRefused, By: store.By{Door: "api", Address: address}})
			}
			for range 100 {
				f.Note(store.Incident{Event: store.Denied, By: store.By{Door: "admin", ActorID: ada.ID, ActorName: ada.Name},
					OrganizationID: ada.OrganizationID, Facts: map[string]any{"of": "page"}})
			}
		}
		count := func(lines []string, part string) (n int) {
			for _, line := range lines {
				if strings.Contains(line, part) {
					n++
				}
			}
			return n
		}
		attack()
		lines := f.Log.Lines()
		for part, want := range map[string]int{
			"event=sign_in_failed": 105, "event=throttled": 20, "event=api_key_refused": 100, "event=denied": 20,
		} {
			modelstest.Want(t, "lines of "+part, count(lines, part), want)
		}
		rows := func() int {
			modelstest.WantKind(t, "writing down", f.KeepSeen(t.Context()), 0)
			return modelstest.RowsOf(t, f, "SELECT count(*) FROM activity WHERE subject = 'access'")
		}
		modelstest.Want(t, "rows of activity", rows(), 50+1+50+1)
		f.Clock.Move(16 * time.Minute)
		attack()
		modelstest.Want(t, "rows of activity in two windows", rows(), 2*(50+1+50+1))
		modelstest.Want(t, "what was held back is not told", count(f.Log.Lines(), "held_back=80"), 1)
		f.Clock.Move(90 * 24 * time.Hour)
		modelstest.WantKind(t, "sweeping", f.Staff.SweepSignIns(t.Context()), 0)
		modelstest.Want(t, "rows are kept after 90 days", rows(), 0)
		got := securityLog(t, f)
		modelstest.Holds(t, len(got) != 0, "who joined is forgotten")
	})
}

func TestChangesOfStaffAndKeysAreRecordedOnceTheyAreMade(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := at(t, "192.0.2.1")
		ada := modelstest.Must(setup.Do(ctx, f.Store, setup.Input{Organization: "Conferences",
			Owner: staff.NewUser{Email: "ada@example.org", Name: "Ada", Password: modelstest.SecretPhrase}}))(t)
		invite := func(email string) string {
			return modelstest.Must(f.Team(ctx, ada).Invite(ctx, staff.Invitation{Email: email, Role: staff.Viewer,
				Everywhere: true}))(t)
		}
		bob := modelstest.Must(f.Staff.AcceptInvitation(at(t, "192.0.2.9"), invite("bob@example.org"), "Bob",
			modelstest.SecretPhrase))(t)
		invite("cy@example.org")
		pending := modelstest.Must(f.Team(ctx, ada).Invitations(ctx))(t)
		modelstest.WantKind(t, "withdrawing", f.Team(ctx, ada).Withdraw(ctx, pending[0].ID), 0)
		organizer := staff.Organizer
		modelstest.WantKind(t, "another role", f.Team(ctx, ada).Change(ctx, bob.ID, staff.Change{Role: &organizer}), 0)
		modelstest.WantKind(t, "the same role", f.Team(ctx, ada).Change(ctx, bob.ID, staff.Change{Role: &organizer}), 0)
		modelstest.WantKind(t, "the last owner", f.Team(ctx, ada).Remove(ctx, ada.ID), store.Invalid)
		link, _, err := f.Team(ctx, ada).ResetFor(ctx, bob.ID)
		modelstest.WantKind(t, "a link", err, 0)
		modelstest.WantKind(t, "resetting", f.Staff.ResetPassword(at(t, "192.0.2.9"), link, "another password"), 0)
		modelstest.WantKind(t, "changing", f.Staff.ChangePassword(at(t, "192.0.2.9"), bob, "another password",
			modelstest.SecretPhrase, ""), 0)
		asked, _, err := f.Staff.RequestReset(at(t, "192.0.2.8"), "bob@example.org", "192.0.2.8")
		modelstest.WantKind(t, "asking", err, 0)
		secret, _, err := f.Staff.BeginTOTP(ctx, ada, modelstest.SecretPhrase)
		modelstest.WantKind(t, "beginning", err, 0)
		modelstest.Answers(f.Staff.ConfirmTOTP(ctx, ada, modelstest.CodeAt(t, f, secret, 0), ""))(t, "confirming", 0)
		modelstest.WantKind(t, "requiring", f.Team(ctx, ada).RequireSecondFactor(ctx, true), 0)
		modelstest.WantKind(t, "requiring it again", f.Team(ctx, ada).RequireSecondFactor(ctx, true), 0)
		modelstest.WantKind(t, "no longer", f.Team(ctx, ada).RequireSecondFactor(ctx, false), 0)
		modelstest.WantKind(t, "turning off", f.Staff.DisableTOTP(ctx, ada, modelstest.SecretPhrase), 0)
		key, value, err := apikey.Of(f.Store.Programme(f.Event, store.By{Door: "admin", ActorID: ada.ID, ActorName: "Ada",
			Address: "192.0.2.1"})).Create(ctx, apikey.New{Name: "Website", Scopes: apikey.Scopes})
		modelstest.WantKind(t, "a key", err, 0)
		modelstest.WantKind(t, "revoking", apikey.Of(f.Programme()).Revoke(ctx, key.ID), 0)
		modelstest.Must(f.Staff.CreateUser(ctx, staff.NewUser{Email: "dee@example.org", Name: "Dee", Role: staff.Viewer,
			Password: modelstest.SecretPhrase}))(t)
		modelstest.Must(f.Staff.SetPassword(ctx, "dee@example.org", "another password"))(t)
		modelstest.Must(f.Staff.EndSecondFactor(ctx, "dee@example.org"))(t)
		modelstest.WantKind(t, "removing", f.Team(ctx, ada).Remove(ctx, bob.ID), 0)

		want := []string{"event_added|cli|command line||", "event_added|cli|command line||",
			"staff_joined|admin|Ada|Ada|192.0.2.1", "invited|admin|Ada||192.0.2.1", "staff_joined|admin|Bob|Bob|192.0.2.9",
			"invited|admin|Ada||192.0.2.1", "invitation_withdrawn|admin|Ada||192.0.2.1", "roles_changed|admin|Ada|Bob|192.0.2.1",
			"reset_link_made|admin|Ada|Bob|192.0.2.1", "password_reset|admin|Bob|Bob|192.0.2.9",
			"password_changed|admin|Bob|Bob|192.0.2.9",
			"second_factor_on|admin|Ada|Ada|192.0.2.1", "second_factor_required|admin|Ada||192.0.2.1",
			"second_factor_optional|admin|Ada||192.0.2.1",
			"second_factor_off|admin|Ada|Ada|192.0.2.1", "api_key_made|admin|Ada|Website|192.0.2.1",
			"api_key_revoked|api|Test key|Website|",
			"staff_joined|cli|command line|Dee|", "password_set|cli|command line|Dee|",
			"second_factor_ended|cli|command line|Dee|",
			"staff_removed|admin|Ada|Bob|192.0.2.1",
		}
		got := securityLog(t, f)
		modelstest.Holds(t, slices.Contains(got, "reset_asked|admin||Bob|192.0.2.8"),
			"that a reset was asked for is missing: %q", got)
		got = slices.DeleteFunc(got, func(line string) bool { return strings.HasPrefix(line, "reset_asked") })
		slices.Sort(got)
		wantLines(t, "the activity", got, slices.Sorted(slices.Values(want))...)
		lines := f.Log.Lines()
		modelstest.Want(t, "lines in the log", len(lines), len(want)+1)
		all := strings.Join(lines, "\n")
		for _, secret := range []string{"@example.org", "battery", "another password", link, asked, value, secret} {
			modelstest.Holds(t, !strings.Contains(all, secret), "%q is in the log:\n%s", secret, all)
		}
		for _, part := range []string{"event=roles_changed", "role=organizer was_role=viewer", "account=c…@e…",
			"name=Website", "door=cli"} {
			modelstest.Holds(t, strings.Contains(all, part), "the log lacks %q:\n%s", part, all)
		}
	})
}

func TestTheSecurityLogStaysInItsOrganizationAndIsNarrowed(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ada := modelstest.FirstOwner(t, f)
		eve, _ := modelstest.ForeignOwner(t, f)
		f.Note(store.Incident{Event: store.Denied, By: store.By{Door: "admin", ActorID: eve.ID, ActorName: "Eve"},
			OrganizationID: eve.OrganizationID})
		modelstest.SignIn(t, f, "ada@example.org", modelstest.SecretPhrase)
		modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "T"}))(t)
		modelstest.NewEndpoint(t, f.Webhooks(), "https://example.org/hook?token=hush")
		modelstest.Want(t, "the log of the process has the address of an endpoint, which may have a secret in it",
			strings.Contains(strings.Join(f.Log.Lines(), "\n"), "hush"), false)
		got := strings.Join(securityLog(t, f), "\n")
		modelstest.Holds(t, !strings.Contains(got, "Eve") && strings.Count(got, "\n") == 4 &&
			strings.Contains(got, "endpoint_added|"), "the log has\n%s", got)
		wantLines(t, "narrowed", securityLog(t, f, store.SignedIn, store.Denied), "signed_in|admin|Ada|Ada|192.0.2.1")
		for _, page := range []store.Page{{Number: store.MaxPage + 1}, {Size: 1000}} {
			_, _, err := f.Webhooks().SecurityLog(t.Context(), store.SecurityFilter{}, page)
			modelstest.WantKind(t, "a page beyond", err, store.Invalid)
		}
		for i := range 30 {
			f.Clock.Move(16 * time.Minute)
			f.Note(store.Incident{Event: store.Denied, By: store.By{Door: "admin", ActorID: ada.ID,
				ActorName: fmt.Sprint("Ada ", i)}, OrganizationID: ada.OrganizationID})
		}
		modelstest.WantKind(t, "writing down", f.KeepSeen(t.Context()), 0)
		entries, pagination, err := f.Webhooks().SecurityLog(t.Context(), store.SecurityFilter{Events: []store.SecurityEvent{store.Denied}},
			store.Page{Number: 2, Size: 20})
		modelstest.Holds(t, err == nil && len(entries) == 10 && pagination.TotalResults == 30 && entries[9].Actor == "Ada 0",
			"%d of %+v, %v", len(entries), pagination, err)
	})
}

// TestEachSecurityEventIsDocumented compares the list with the operators' documentation.
func TestEachSecurityEventIsDocumented(t *testing.T) {
	t.Parallel()
	text := modelstest.Must(os.ReadFile("../docs/security.md"))(t)
	_, table, _ := strings.Cut(string(text), "\n| Event |")
	for _, event := range store.SecurityEvents() {
		modelstest.Holds(t, strings.Contains(table, "\n| `"+string(event)+"` |"),
			"docs/security.md does not say what %s means", event)
	}
	modelstest.Want(t, "rows of docs/security.md", strings.Count(table, "\n| `"), len(store.SecurityEvents()))
}
