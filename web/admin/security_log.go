package admin

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

const securityPath = "/admin/security"

func (w *Web) securityRoutes() []route {
	return []route{
		{"GET", securityPath, owner, showSecurity},
		{"POST", securityPath + "/second-factor", owner, requireFactor},
	}
}

// securityKind is one way to narrow what the page shows.
type securityKind struct {
	value, name string
	events      []models.SecurityEvent
}

var securityKinds = []securityKind{
	{"", "Everything", nil},
	{"sign-ins", "Sign-ins", []models.SecurityEvent{models.SignedIn}},
	{"refused", "What was refused", []models.SecurityEvent{
		models.SignInFailed, models.SecondFactorFailed, models.PasswordCheckFailed, models.SetupFailed,
		models.Throttled, models.Denied, models.APIKeyRefused,
	}},
	{"staff", "Staff and roles", []models.SecurityEvent{
		models.StaffJoined, models.RolesChanged, models.StaffRemoved, models.Invited, models.InvitationWithdrawn,
	}},
	{"passwords", "Passwords and second factors", []models.SecurityEvent{
		models.ResetAsked, models.ResetLinkMade, models.PasswordReset, models.PasswordChanged, models.PasswordSet,
		models.SecondFactorOn, models.SecondFactorOff, models.SecondFactorEnded, models.SecondFactorLost,
		models.SecondFactorRequired, models.SecondFactorOptional,
	}},
	{"keys", "API keys", []models.SecurityEvent{
		models.APIKeyMade, models.APIKeyRevoked, models.APIKeyFromNewAddress, models.APIKeyRefused,
	}},
}

func showSecurity(v *visit) error { return v.securityPage(http.StatusOK) }

func (v *visit) securityPage(status int) error {
	l := v.plainListing("kind", "page")
	kind := slices.IndexFunc(securityKinds, func(k securityKind) bool { return k.value == l.query.Get("kind") })
	if kind < 0 {
		kind = 0
		l.query.Del("kind")
	}
	page := models.Page{Number: l.page(), Size: rowsAPage}
	entries, pagination, err := v.tenant().SecurityLog(v.ctx(), securityKinds[kind].events, page)
	if err != nil {
		return err
	}
	if len(entries) == 0 && pagination.TotalResults > 0 { // behind the last page
		return v.seeInstead(securityPath + "?" + l.onPage(pagination.TotalPages).query.Encode())
	}
	p := pages.SecurityPage{Base: securityPath, Filtered: kind > 0, Pages: pagesOf(securityPath, l, pagination, "lines")}
	if p.Shell, err = v.shell("Security"); err != nil {
		return err
	}
	if err := v.factorRule(&p); err != nil {
		return err
	}
	for i, k := range securityKinds {
		p.Kinds = append(p.Kinds, components.Option{Value: k.value, Name: k.name, Chosen: i == kind})
	}
	for _, e := range entries {
		day := e.At.In(time.UTC).Format("Monday, 2 January 2006")
		if len(p.Days) == 0 || p.Days[len(p.Days)-1].Name != day {
			p.Days = append(p.Days, pages.SecurityDay{Name: day})
		}
		last := &p.Days[len(p.Days)-1]
		last.Lines = append(last.Lines, securityLine(e))
	}
	return v.render(status, pages.Security(p))
}

// factorRule fills in whether all staff need a second factor, and who has none.
func (v *visit) factorRule(p *pages.SecurityPage) (err error) {
	if p.Required, err = v.team().SecondFactorRequired(v.ctx()); err != nil {
		return err
	}
	members, err := v.team().Members(v.ctx())
	for _, u := range members {
		switch {
		case u.HasTOTP():
			p.Own = p.Own || u.ID == v.user.ID
		default:
			p.Without = append(p.Without, u.Name)
		}
	}
	p.Members = len(members)
	return err
}

func requireFactor(v *visit) error {
	required := v.value("required") == "yes"
	err := v.team().RequireSecondFactor(v.ctx(), required)
	switch {
	case err == nil && required:
		return v.see(securityPath, "All staff need a second factor now. Anyone without one is asked to set it up on their next page.")
	case err == nil:
		return v.see(securityPath, "A second factor is everybody's own choice again. Those that are on stay on.")
	}
	if err := v.refuse(err); err != nil {
		return err
	}
	return v.securityPage(http.StatusUnprocessableEntity)
}

// securityWords say what somebody did; % is whom or what it is about.
var securityWords = map[models.SecurityEvent]string{
	models.SignedIn:             "signed in",
	models.SignInFailed:         "gave a wrong password for %",
	models.SecondFactorFailed:   "gave the password of % and a wrong code",
	models.PasswordCheckFailed:  "gave a wrong password where theirs is asked for again",
	models.SetupFailed:          "gave a wrong set-up code",
	models.Throttled:            "was held back after too many attempts",
	models.Denied:               "was refused something that is not for them",
	models.APIKeyRefused:        "sent an API key that is not valid",
	models.APIKeyFromNewAddress: "was used from a new address",
	models.ResetAsked:           "asked for a reset link for %",
	models.StaffJoined:          "made % a member of staff",
	models.RolesChanged:         "changed what % may do",
	models.StaffRemoved:         "removed %",
	models.ResetLinkMade:        "made a reset link for %",
	models.PasswordReset:        "chose a new password by a reset link",
	models.PasswordChanged:      "changed their password",
	models.PasswordSet:          "set a new password for %",
	models.SecondFactorOn:       "turned their second factor on",
	models.SecondFactorOff:      "turned their second factor off",
	models.SecondFactorEnded:    "ended the second factor of %",
	models.SecondFactorLost:     "gave up the second factor of %, which was lost with the secret key",
	models.Invited:              "invited %",
	models.InvitationWithdrawn:  "withdrew an invitation",
	models.SecondFactorRequired: "required a second factor of all staff",
	models.SecondFactorOptional: "left the second factor to everybody's own choice",
	models.APIKeyMade:           "made the API key %",
	models.APIKeyRevoked:        "revoked the API key %",
}

// throttledWords say of what there was too much.
var throttledWords = map[models.SecurityEvent]string{
	models.SignInFailed:        "was held back after too many wrong passwords for %",
	models.SecondFactorFailed:  "was held back after too many wrong codes for %",
	models.PasswordCheckFailed: "was held back after too many wrong passwords",
	models.SetupFailed:         "was held back after too many set-up codes",
	models.ResetAsked:          "was held back after asking for too many reset links",
	models.APIKeyRefused:       "was held back after too many API keys that are not valid",
	"requests":                 "was held back for sending too many requests",
}

// securityLine is a line of the security log in words.
func securityLine(e *models.SecurityEntry) pages.SecurityLine {
	fact := func(name string) string { text, _ := e.Facts[name].(string); return text }
	words, of := securityWords[e.Event], fact("of")
	switch {
	case e.Event == "":
		words = e.Action + " %"
	case e.Event == models.Throttled && throttledWords[models.SecurityEvent(of)] != "":
		words = throttledWords[models.SecurityEvent(of)]
	case e.Event == models.StaffJoined && e.Door != "cli":
		words = "joined"
	case e.Event == models.SignedIn && e.Facts["second_factor"] == true:
		words = "signed in with their second factor"
	case e.Event == models.Denied:
		words = deniedWords(of)
	}
	line := pages.SecurityLine{ActivityEntry: e.ActivityEntry, Address: e.Address, Time: e.At.In(time.UTC).Format("15:04 MST")}
	var named bool
	if line.Did, line.Rest, named = strings.Cut(words, "%"); named {
		line.Name = cmp.Or(e.SubjectName, fact("email"), fact("account"), "an address that is nobody's")
	}
	switch e.Event {
	case models.RolesChanged, models.StaffJoined, models.Invited, models.APIKeyMade:
	default:
		line.Changes = nil
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
	return securityWords[models.Denied]
}
