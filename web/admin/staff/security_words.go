package staff

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"lectern/models/store"
	pages "lectern/views/pages/staff"
	"lectern/views/records"
	"lectern/web/admin/visit"
)

// securityWords say what somebody did; % stands for whom or what it concerns.
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
	store.SettingsChanged:      "changed the settings of %",
	store.PersonErased:         "erased a person",
	store.LogExported:          "exported this log",
	store.LogKept:              "changed how long this log is kept",
	store.EndpointAdded:        "added the webhook endpoint at %",
	store.EndpointOn:           "turned the webhook endpoint at % on",
	store.EndpointOff:          "turned the webhook endpoint at % off",
	store.EndpointSecretMade:   "made a new secret for the webhook endpoint at %",
	store.EndpointSecretOn:     "had the new secret of the webhook endpoint at % sign what is sent",
	store.EndpointSecretGone:   "gave up the new secret of the webhook endpoint at %",
	store.EndpointDeleted:      "deleted the webhook endpoint at %",
	store.EventAdded:           "added the event %",
	store.EventCopied:          "made % as a copy of another event, with its staff",
}

// throttledWords say of what there were too many.
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

// fact returns a text that the log keeps about a change.
func fact(e *store.SecurityEntry, name string) string { text, _ := e.After[name].(string); return text }

// wordsOf says what somebody did; % stands for whom or what it concerns.
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

// securityLine words a line of the security log.
func securityLine(e *store.SecurityEntry) pages.SecurityLine {
	line := pages.SecurityLine{ActivityEntry: e.ActivityEntry, Address: e.Address,
		Time: e.At.In(time.UTC).Format("15:04")}
	var named bool
	if line.Did, line.Rest, named = strings.Cut(wordsOf(e), "%"); named {
		line.Name = cmp.Or(e.SubjectName, fact(e, "email"), fact(e, "account"), "an address that is nobody's")
	}
	switch e.Event {
	case store.PeopleExported:
		if of := fact(e, "of"); of != "" {
			line.Did += ": " + of
		}
	case store.IdentityLinked:
		line.Name = fact(e, "provider")
	case store.ProviderDeleted:
		line.Name, _ = e.Before["name"].(string)
	case store.EventAdded, store.EndpointAdded, store.EndpointOn, store.EndpointOff, store.EndpointSecretMade,
		store.EndpointSecretOn, store.EndpointSecretGone, store.EndpointDeleted:
		line.Name = fact(e, "of")
	case store.LogKept:
		line.Changes = []records.FieldChange{{Field: "Kept", Before: daysKept(e.Before), After: daysKept(e.After)}}
	case store.RolesChanged, store.SettingsChanged, store.ProviderAdded, store.ProviderChanged, store.StaffJoined, store.Invited, store.APIKeyMade:
		line.Changes = visit.ChangesOf(e.ActivityEntry, time.UTC, nil)
	}
	return line
}

// daysKept words the days in a line's facts.
func daysKept(facts map[string]any) string {
	days, err := strconv.Atoi(fmt.Sprint(facts["days"]))
	if err != nil {
		return ""
	}
	return keptFor(days)
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
