package staff

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"lectern/models/staff"
	"lectern/models/status"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/staff"
	"lectern/web/admin/visit"
)

// securityKind is a filter of the log: a group of events.
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
	{"exports", "Exports", []store.SecurityEvent{store.PeopleExported, store.LogExported}},
	{"erasures", "Erasures", []store.SecurityEvent{store.PersonErased}},
	{"settings", "Settings", []store.SecurityEvent{
		store.SettingsChanged, store.EventAdded, store.EventCopied, store.SecondFactorRequired, store.SecondFactorOptional, store.PasswordsOff,
		store.PasswordsOn, store.LogKept,
	}},
	{"webhooks", "Webhook endpoints", []store.SecurityEvent{
		store.EndpointAdded, store.EndpointOn, store.EndpointOff, store.EndpointSecretMade, store.EndpointSecretOn,
		store.EndpointSecretGone, store.EndpointDeleted,
	}},
	{"keys", "API keys", []store.SecurityEvent{
		store.APIKeyMade, store.APIKeyRevoked, store.APIKeyFromNewAddress, store.APIKeyRefused,
	}},
}

func showSecurity(v *visit.Visit) error { return securityPage(v, http.StatusOK) }

func securityPage(v *visit.Visit, status int) error {
	asked := logAsked(v)
	page := store.Page{Number: asked.l.Page(), Size: visit.RowsAPage}
	entries, pagination, err := v.Tenant().SecurityLog(v.UserContext(), asked.filter, page)
	if err != nil {
		return err
	}
	if len(entries) == 0 && pagination.TotalResults > 0 { // beyond the last page
		return v.SeeInstead(visit.SecurityPath + "?" + asked.l.OnPage(pagination.TotalPages).Query.Encode())
	}
	p := pages.SecurityPage{Base: visit.SecurityPath, Filtered: asked.l.View() != "", From: asked.l.Query.Get("from"),
		Until: asked.l.Query.Get("until"), Pages: visit.PagesOf(visit.SecurityPath, asked.l, pagination, "lines")}
	p.CSV = logCSVPath
	if view := asked.l.View(); view != "" {
		p.CSV += "?" + view
	}
	if p.Files, err = fileRows(v); err != nil {
		return err
	}
	if p.Waiting, err = v.Store.StrangerMailsWaiting(v.UserContext(), v.Tenant().ID); err != nil {
		return err
	}
	members, err := v.Team().Members(v.UserContext())
	if err == nil {
		err = errors.Join(factorRule(v, &p, members), logKept(v, &p))
	}
	if err != nil {
		return err
	}
	p.Kinds = visit.Choices(securityKinds, func(k securityKind) (string, string) { return k.value, k.name },
		asked.l.Query.Get("kind"))
	p.People = append([]components.Option{{Name: "Everybody"}}, visit.Choices(members,
		func(u *staff.User) (string, string) { return u.ID, u.Name }, asked.filter.Person)...)
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

// fileRows returns how much space files take: of the organization, and of each event's call.
func fileRows(v *visit.Visit) ([]pages.FilesRow, error) {
	sizes, err := status.FilesOf(v.UserContext(), v.Store, v.Tenant())
	row := func(of string, files, bytes int64) pages.FilesRow {
		return pages.FilesRow{Of: of, Files: visit.Counted(files, "file", "files"), Size: fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20))}
	}
	rows := []pages.FilesRow{row("Altogether", sizes.Files, sizes.Bytes)}
	for _, e := range sizes.Events {
		rows = append(rows, row("Answers to the call of "+e.Name, e.Files, e.Bytes))
	}
	return rows, err
}

// factorRule fills in whether all staff need a second factor, and who has none.
func factorRule(v *visit.Visit, p *pages.SecurityPage, members []*staff.User) (err error) {
	if p.Required, err = v.Team().SecondFactorRequired(v.UserContext()); err != nil {
		return err
	}
	for _, u := range members {
		if u.ProviderID != nil {
			continue // their provider takes care of it
		}
		p.Members++
		if !u.HasFactor() {
			p.Without = append(p.Without, u.Name)
		} else if u.ID == v.User.ID {
			p.Own = true
		}
	}
	return nil
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
