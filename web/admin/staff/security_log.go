package staff

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"lectern/models/store"
	"lectern/views/pages"
	"lectern/web/admin/visit"
)

// securityKind is one way to narrow what the page shows.
type securityKind struct {
	value, name string
	events      []store.SecurityEvent
}

var securityKinds = []securityKind{
	{"", "Everything", nil},
	{"sign-ins", "Sign-ins", []store.SecurityEvent{store.SignedIn}},
	{"refused", "What was refused", []store.SecurityEvent{
		store.SignInFailed, store.SecondFactorFailed, store.PasskeyFailed, store.PasswordCheckFailed, store.SetupFailed,
		store.Throttled, store.Denied, store.APIKeyRefused,
	}},
	{"staff", "Staff and roles", []store.SecurityEvent{
		store.StaffJoined, store.RolesChanged, store.StaffRemoved, store.Invited, store.InvitationWithdrawn, store.EventCopied,
	}},
	{"passwords", "Passwords and second factors", []store.SecurityEvent{
		store.ResetAsked, store.ResetLinkMade, store.PasswordReset, store.PasswordChanged, store.PasswordSet,
		store.SecondFactorOn, store.SecondFactorOff, store.PasskeyAdded, store.PasskeyRemoved, store.PasskeyCloned, store.SecondFactorEnded, store.SecondFactorLost,
		store.SecondFactorRequired, store.SecondFactorOptional,
	}},
	{"providers", "Identity providers", []store.SecurityEvent{
		store.ProviderSignInFailed, store.ProviderAdded, store.ProviderChanged, store.ProviderDeleted, store.IdentityLinked,
		store.IdentityUnlinked, store.PasswordsOff, store.PasswordsOn,
	}},
	{"exports", "Exports of people", []store.SecurityEvent{store.PeopleExported}},
	{"keys", "API keys", []store.SecurityEvent{
		store.APIKeyMade, store.APIKeyRevoked, store.APIKeyFromNewAddress, store.APIKeyRefused,
	}},
}

func showSecurity(v *visit.Visit) error { return securityPage(v, http.StatusOK) }

func securityPage(v *visit.Visit, status int) error {
	l := v.PlainListing("kind", "page")
	kind := slices.IndexFunc(securityKinds, func(k securityKind) bool { return k.value == l.Query.Get("kind") })
	if kind < 0 {
		kind = 0
		l.Query.Del("kind")
	}
	page := store.Page{Number: l.Page(), Size: visit.RowsAPage}
	entries, pagination, err := v.Tenant().SecurityLog(v.UserContext(), securityKinds[kind].events, page)
	if err != nil {
		return err
	}
	if len(entries) == 0 && pagination.TotalResults > 0 { // behind the last page
		return v.SeeInstead(visit.SecurityPath + "?" + l.OnPage(pagination.TotalPages).Query.Encode())
	}
	p := pages.SecurityPage{Base: visit.SecurityPath, Filtered: kind > 0, Pages: visit.PagesOf(visit.SecurityPath, l,
		pagination, "lines")}
	if p.Files, err = fileRows(v); err != nil {
		return err
	}
	if p.Waiting, err = v.Store.StrangerMailsWaiting(v.UserContext(), v.Tenant().ID); err != nil {
		return err
	}
	if err := factorRule(v, &p); err != nil {
		return err
	}
	p.Kinds = visit.Choices(securityKinds, func(k securityKind) (string, string) { return k.value, k.name },
		securityKinds[kind].value)
	for _, e := range entries {
		day := e.At.In(time.UTC).Format("Monday, 2 January 2006")
		if len(p.Days) == 0 || p.Days[len(p.Days)-1].Name != day {
			p.Days = append(p.Days, pages.SecurityDay{Name: day})
		}
		last := &p.Days[len(p.Days)-1]
		last.Lines = append(last.Lines, securityLine(e))
	}
	return visit.Show(v, status, "Security", pages.Security, p)
}

// fileRows are what the files of the organization take, and those of each event's call.
func fileRows(v *visit.Visit) ([]pages.FilesRow, error) {
	sizes, err := v.Store.FileSizes(v.UserContext(), v.Tenant())
	row := func(of string, files, bytes int64) pages.FilesRow {
		count := visit.Number(files) + " files"
		if files == 1 {
			count = "1 file"
		}
		return pages.FilesRow{Of: of, Files: count, Size: fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20))}
	}
	rows := []pages.FilesRow{row("Altogether", sizes.Files, sizes.Bytes)}
	for _, e := range sizes.Events {
		rows = append(rows, row("Answers to the call of "+e.Name, e.Files, e.Bytes))
	}
	return rows, err
}

// factorRule fills in whether all staff need a second factor, and who has none.
func factorRule(v *visit.Visit, p *pages.SecurityPage) (err error) {
	if p.Required, err = v.Team().SecondFactorRequired(v.UserContext()); err != nil {
		return err
	}
	members, err := v.Team().Members(v.UserContext())
	for _, u := range members {
		if u.ProviderID != nil {
			continue // their provider answers for it
		}
		p.Members++
		if !u.HasFactor() {
			p.Without = append(p.Without, u.Name)
		} else if u.ID == v.User.ID {
			p.Own = true
		}
	}
	return err
}

func requireFactor(v *visit.Visit) error {
	required := v.Value("required") == "yes"
	err := v.Team().RequireSecondFactor(v.UserContext(), required)
	switch {
	case err == nil && required:
		return v.See(visit.SecurityPath, "All staff need a second factor now. Anyone without one is asked to set it up on their "+
			"next page.")
	case err == nil:
		return v.See(visit.SecurityPath, "A second factor is everybody's own choice again. Those that are on stay on.")
	}
	return v.Again(err, func(status int) error { return securityPage(v, status) })
}

// securityWords say what somebody did; % is whom or what it is about.
var securityWords = map[store.SecurityEvent]string{
	store.SignedIn:             "signed in",
	store.SignInFailed:         "gave a wrong password for %",
	store.SecondFactorFailed:   "gave the password of % and a wrong code",
	store.PasskeyFailed:        "used a passkey that was refused",
	store.PasswordCheckFailed:  "gave a wrong password where theirs is asked for again",
	store.SetupFailed:          "gave a wrong set-up code",
	store.Throttled:            "was held back after too many attempts",
	store.Denied:               "was refused something that is not for them",
	store.APIKeyRefused:        "sent an API key that is not valid",
	store.APIKeyFromNewAddress: "was used from a new address",
	store.ResetAsked:           "asked for a reset link for %",
	store.StaffJoined:          "made % a member of staff",
	store.RolesChanged:         "changed what % may do",
	store.StaffRemoved:         "removed %",
	store.ResetLinkMade:        "made a reset link for %",
	store.PasswordReset:        "chose a new password by a reset link",
	store.PasswordChanged:      "changed their password",
	store.PasswordSet:          "set a new password for %",
	store.SecondFactorOn:       "turned their second factor on",
	store.SecondFactorOff:      "turned their second factor off",
	store.SecondFactorEnded:    "ended the second factor of %",
	store.SecondFactorLost:     "gave up the second factor of %, which was lost with the secret key",
	store.PasskeyAdded:         "added a passkey",
	store.PasskeyRemoved:       "removed a passkey of theirs",
	store.PasskeyCloned:        "used a passkey that may have been copied, and was refused",
	store.Invited:              "invited %",
	store.InvitationWithdrawn:  "withdrew an invitation",
	store.SecondFactorRequired: "required a second factor of all staff",
	store.SecondFactorOptional: "left the second factor to everybody's own choice",
	store.APIKeyMade:           "made the API key %",
	store.APIKeyRevoked:        "revoked the API key %",
	store.PeopleExported:       "exported people with their addresses",
	store.ProviderSignInFailed: "came from an identity provider and was not let in",
	store.ProviderAdded:        "added the identity provider %",
	store.ProviderChanged:      "changed the identity provider %",
	store.ProviderDeleted:      "deleted the identity provider %",
	store.IdentityLinked:       "was linked to an account at %",
	store.IdentityUnlinked:     "took an identity provider's account off theirs",
	store.PasswordsOff:         "turned passwords off: staff sign in by identity providers alone",
	store.PasswordsOn:          "turned passwords on again",
	store.EventCopied:          "made % as a copy of another event, with its staff",
}

// throttledWords say of what there was too much.
var throttledWords = map[store.SecurityEvent]string{
	store.SignInFailed:        "was held back after too many wrong passwords for %",
	store.SecondFactorFailed:  "was held back after too many wrong codes for %",
	store.PasskeyFailed:       "was held back after too many passkeys that were refused",
	store.PasswordCheckFailed: "was held back after too many wrong passwords",
	store.SetupFailed:         "was held back after too many set-up codes",
	store.ResetAsked:          "was held back after asking for too many reset links",
	store.APIKeyRefused:       "was held back after too many API keys that are not valid",
	"requests":                "was held back for sending too many requests",
}

// fact is a text that the line keeps of a change.
func fact(e *store.SecurityEntry, name string) string { text, _ := e.After[name].(string); return text }

// wordsOf say what somebody did; % is whom or what it is about.
func wordsOf(e *store.SecurityEntry) string {
	of, provider := fact(e, "of"), fact(e, "provider")
	switch {
	case e.Event == "":
		return e.Action + " %"
	case e.Event == store.Throttled && throttledWords[store.SecurityEvent(of)] != "":
		return throttledWords[store.SecurityEvent(of)]
	case e.Event == store.StaffJoined && e.Door != "cli":
		return "joined"
	case e.Event == store.SignedIn && e.After["passkey"] == true:
		return "signed in with a passkey"
	case e.Event == store.SignedIn && e.After["second_factor"] == true:
		return "signed in with their second factor"
	case e.Event == store.SignedIn && provider != "":
		return "signed in with " + provider
	case e.Event == store.ProviderSignInFailed && of != "":
		return "came from " + of + " and was not let in"
	case e.Event == store.Denied:
		return deniedWords(of)
	}
	return securityWords[e.Event]
}

// securityLine is a line of the security log in words.
func securityLine(e *store.SecurityEntry) pages.SecurityLine {
	line := pages.SecurityLine{ActivityEntry: e.ActivityEntry, Address: e.Address,
		Time: e.At.In(time.UTC).Format("15:04")}
	var named bool
	if line.Did, line.Rest, named = strings.Cut(wordsOf(e), "%"); named {
		line.Name = cmp.Or(e.SubjectName, fact(e, "email"), fact(e, "account"), "an address that is nobody's")
	}
	switch e.Event {
	case store.IdentityLinked:
		line.Name = fact(e, "provider")
	case store.ProviderDeleted:
		line.Name, _ = e.Before["name"].(string)
	case store.RolesChanged, store.ProviderAdded, store.ProviderChanged, store.StaffJoined, store.Invited, store.APIKeyMade:
		line.Changes = visit.ChangesOf(e.ActivityEntry, time.UTC, nil)
	}
	return line
}

// deniedWords say what was refused.
func deniedWords(of string) string {
	kind, name, _ := strings.Cut(of, " ")
	switch kind {
	case "role":
		return "was refused a page that needs the role " + name
	case "scope":
		return "was refused what needs the scope " + name
	case "event":
		return "was refused an event that is not theirs"
	}
	return securityWords[store.Denied]
}
