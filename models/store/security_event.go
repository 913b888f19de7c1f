package store

import (
	"log/slog"
	"slices"
	"sync"
	"time"
)

// SecurityEvent is the stable name of something that whoever guards the service wants to know: the attribute "event" of
// a log line "security".
type SecurityEvent string

// What happens to sign-ins, keys and roles.
const (
	SignedIn             SecurityEvent = "signed_in"
	SignInFailed         SecurityEvent = "sign_in_failed"
	SecondFactorFailed   SecurityEvent = "second_factor_failed"
	PasswordCheckFailed  SecurityEvent = "password_check_failed"
	SetupFailed          SecurityEvent = "setup_failed"
	Throttled            SecurityEvent = "throttled"
	Denied               SecurityEvent = "denied"
	APIKeyRefused        SecurityEvent = "api_key_refused"
	APIKeyFromNewAddress SecurityEvent = "api_key_from_new_address"
	ResetAsked           SecurityEvent = "reset_asked"
	StaffJoined          SecurityEvent = "staff_joined"
	RolesChanged         SecurityEvent = "roles_changed"
	StaffRemoved         SecurityEvent = "staff_removed"
	ResetLinkMade        SecurityEvent = "reset_link_made"
	PasswordReset        SecurityEvent = "password_reset"
	PasswordChanged      SecurityEvent = "password_changed"
	PasswordSet          SecurityEvent = "password_set"
	SecondFactorOn       SecurityEvent = "second_factor_on"
	SecondFactorOff      SecurityEvent = "second_factor_off"
	SecondFactorEnded    SecurityEvent = "second_factor_ended"
	SecondFactorLost     SecurityEvent = "second_factor_lost"
	PasskeyFailed        SecurityEvent = "passkey_failed"
	PasskeyAdded         SecurityEvent = "passkey_added"
	PasskeyRemoved       SecurityEvent = "passkey_removed"
	PasskeyCloned        SecurityEvent = "passkey_cloned"
	Invited              SecurityEvent = "invited"
	InvitationWithdrawn  SecurityEvent = "invitation_withdrawn"
	SecondFactorRequired SecurityEvent = "second_factor_required"
	SecondFactorOptional SecurityEvent = "second_factor_optional"
	APIKeyMade           SecurityEvent = "api_key_made"
	APIKeyRevoked        SecurityEvent = "api_key_revoked"
	PeopleExported       SecurityEvent = "people_exported"
	EndpointAdded        SecurityEvent = "endpoint_added"
	EndpointOn           SecurityEvent = "endpoint_on"
	EndpointOff          SecurityEvent = "endpoint_off"
	EndpointSecretMade   SecurityEvent = "endpoint_secret_made"
	EndpointSecretOn     SecurityEvent = "endpoint_secret_on"
	EndpointSecretGone   SecurityEvent = "endpoint_secret_gone"
	EndpointDeleted      SecurityEvent = "endpoint_deleted"
	EventAdded           SecurityEvent = "event_added"
	EventCopied          SecurityEvent = "event_copied"
	ProviderSignInFailed SecurityEvent = "provider_sign_in_failed"
	ProviderAdded        SecurityEvent = "provider_added"
	ProviderChanged      SecurityEvent = "provider_changed"
	ProviderDeleted      SecurityEvent = "provider_deleted"
	IdentityLinked       SecurityEvent = "identity_linked"
	IdentityUnlinked     SecurityEvent = "identity_unlinked"
	PasswordsOff         SecurityEvent = "passwords_off"
	PasswordsOn          SecurityEvent = "passwords_on"
	SettingsChanged      SecurityEvent = "settings_changed"
	PersonErased         SecurityEvent = "person_erased"
	LogExported          SecurityEvent = "log_exported"
	LogKept              SecurityEvent = "log_kept"
)

// securityKind says how a SecurityEvent is recorded: its subject and action in the activity, and its level in the log.
type securityKind struct {
	event           SecurityEvent
	subject, action string
	level           slog.Level
}

// access is the subject of activity that records no change. What strangers can cause at will is limited, and except for
// a few actions is deleted after accessAge.
const access = "access"

// securityKinds are the kinds of all security events. A warning is what a guard should look at. docs/security.md says
// what each means.
var securityKinds = []securityKind{
	{SignedIn, access, "signed in", slog.LevelInfo},
	{SignInFailed, access, "sign-in failed", slog.LevelWarn},
	{SecondFactorFailed, access, "second factor failed", slog.LevelWarn},
	{PasskeyFailed, access, "passkey failed", slog.LevelWarn},
	{PasswordCheckFailed, access, "password check failed", slog.LevelWarn},
	{SetupFailed, access, "set-up failed", slog.LevelWarn},
	{ProviderSignInFailed, access, "provider sign-in failed", slog.LevelWarn},
	{Throttled, access, "throttled", slog.LevelWarn},
	{Denied, access, "denied", slog.LevelWarn},
	{APIKeyRefused, access, "key refused", slog.LevelWarn},
	{APIKeyFromNewAddress, access, "key from new address", slog.LevelWarn},
	{ResetAsked, access, "reset asked", slog.LevelInfo},
	{PeopleExported, access, "people exported", slog.LevelInfo},
	{LogExported, access, "log exported", slog.LevelInfo},
	{StaffJoined, "user", "created", slog.LevelInfo},
	{RolesChanged, "user", "updated", slog.LevelInfo},
	{StaffRemoved, "user", "removed", slog.LevelInfo},
	{ResetLinkMade, "user", "reset", slog.LevelInfo},
	{PasswordReset, "user", "password reset", slog.LevelInfo},
	{PasswordChanged, "user", "password changed", slog.LevelInfo},
	{PasswordSet, "user", "password set", slog.LevelInfo},
	{SecondFactorOn, "user", "second factor on", slog.LevelInfo},
	{SecondFactorOff, "user", "second factor off", slog.LevelWarn},
	{SecondFactorEnded, "user", "second factor ended", slog.LevelWarn},
	{SecondFactorLost, "user", "second factor lost", slog.LevelWarn},
	{PasskeyAdded, "user", "passkey added", slog.LevelInfo},
	{PasskeyRemoved, "user", "passkey removed", slog.LevelWarn},
	{PasskeyCloned, "user", "passkey cloned", slog.LevelWarn},
	{Invited, "invitation", "created", slog.LevelInfo},
	{InvitationWithdrawn, "invitation", "withdrawn", slog.LevelInfo},
	{SecondFactorRequired, "organization", "second factor required", slog.LevelInfo},
	{SecondFactorOptional, "organization", "second factor optional", slog.LevelWarn},
	{APIKeyMade, "api_key", "created", slog.LevelInfo},
	{APIKeyRevoked, "api_key", "revoked", slog.LevelInfo},
	{EndpointAdded, "organization", "endpoint added", slog.LevelInfo},
	{EndpointOn, "organization", "endpoint on", slog.LevelInfo},
	{EndpointOff, "organization", "endpoint off", slog.LevelInfo},
	{EndpointSecretMade, "organization", "endpoint secret made", slog.LevelInfo},
	{EndpointSecretOn, "organization", "endpoint secret on", slog.LevelInfo},
	{EndpointSecretGone, "organization", "endpoint secret gone", slog.LevelInfo},
	{EndpointDeleted, "organization", "endpoint deleted", slog.LevelInfo},
	{EventAdded, "organization", "event added", slog.LevelInfo},
	{EventCopied, "organization", "event copied", slog.LevelInfo},
	{ProviderAdded, "organization", "provider added", slog.LevelInfo},
	{ProviderChanged, "organization", "provider changed", slog.LevelInfo},
	{ProviderDeleted, "organization", "provider deleted", slog.LevelInfo},
	{IdentityLinked, "user", "identity linked", slog.LevelInfo},
	{IdentityUnlinked, "user", "identity unlinked", slog.LevelInfo},
	{PasswordsOff, "organization", "passwords off", slog.LevelInfo},
	{PasswordsOn, "organization", "passwords on", slog.LevelWarn},
	{LogKept, "organization", "log kept", slog.LevelWarn},
	{SettingsChanged, "event", "updated", slog.LevelInfo},
	{PersonErased, "contact", "erased", slog.LevelInfo},
}

// SecurityEvents returns the names of all events, in the order of docs/security.md.
func SecurityEvents() []SecurityEvent {
	return Map(securityKinds, func(kind securityKind) SecurityEvent { return kind.event })
}

func kindOfEvent(event SecurityEvent) securityKind {
	return securityKinds[slices.IndexFunc(securityKinds, func(k securityKind) bool { return k.event == event })]
}

// Strangers can fail as often as they like, so recording is limited, per process and window.
const (
	boundsWindow = 15 * time.Minute

	linesOfOne = 20   // of the log, per event, reason and account, address or key
	linesOfAll = 1000 // of the log, per event
	rowsOfAll  = 50   // of the activity, per event; one per account, address or key
)

// bounds counts what was recorded in the present window.
type bounds struct {
	mu     sync.Mutex
	window time.Time
	ofOne  map[eventOf]int
	lines  map[SecurityEvent]int
	rows   map[SecurityEvent]int
	held   map[SecurityEvent]int // lines held back since the last one that was written
}

type eventOf struct {
	event SecurityEvent
	whose string
}

// admit reports whether an incident goes into the log and into the activity, and how many of its kind were held back
// before it.
func (b *bounds) admit(event SecurityEvent, whose string, now time.Time) (logged, kept bool, heldBack int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now.Sub(b.window) >= boundsWindow {
		b.window = now
		b.ofOne, b.lines, b.rows = map[eventOf]int{}, map[SecurityEvent]int{}, map[SecurityEvent]int{}
	}
	if b.held == nil {
		b.held = map[SecurityEvent]int{}
	}
	one := eventOf{event, whose}
	if b.ofOne[one] >= linesOfOne || b.lines[event] >= linesOfAll {
		b.held[event]++
		return false, false, 0
	}
	b.ofOne[one]++
	b.lines[event]++
	if b.ofOne[one] == 1 && b.rows[event] < rowsOfAll {
		b.rows[event]++
		kept = true
	}
	heldBack, b.held[event] = b.held[event], 0
	return true, kept, heldBack
}
