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

// securityKind says how a SecurityEvent is recorded: its subject and action in the activity, and its level in the log.
type securityKind struct {
	event           SecurityEvent
	subject, action string
	level           slog.Level
}

// access is the subject of activity that records no change. What strangers can cause at will is limited, and except for
// a few actions is deleted after accessAge.
const access = "access"

// These are all security events, in the order of docs/security.md, which says what each means: the name, the subject and
// action in the activity, and the level in the log. A warning is what a guard should look at.
var (
	SignedIn             = securityEvent("signed_in", access, "signed in", slog.LevelInfo)
	SignInFailed         = securityEvent("sign_in_failed", access, "sign-in failed", slog.LevelWarn)
	SecondFactorFailed   = securityEvent("second_factor_failed", access, "second factor failed", slog.LevelWarn)
	PasskeyFailed        = securityEvent("passkey_failed", access, "passkey failed", slog.LevelWarn)
	PasswordCheckFailed  = securityEvent("password_check_failed", access, "password check failed", slog.LevelWarn)
	SetupFailed          = securityEvent("setup_failed", access, "set-up failed", slog.LevelWarn)
	ProviderSignInFailed = securityEvent("provider_sign_in_failed", access, "provider sign-in failed", slog.LevelWarn)
	Throttled            = securityEvent("throttled", access, "throttled", slog.LevelWarn)
	Denied               = securityEvent("denied", access, "denied", slog.LevelWarn)
	APIKeyRefused        = securityEvent("api_key_refused", access, "key refused", slog.LevelWarn)
	APIKeyFromNewAddress = securityEvent("api_key_from_new_address", access, "key from new address", slog.LevelWarn)
	ResetAsked           = securityEvent("reset_asked", access, "reset asked", slog.LevelInfo)
	PeopleExported       = securityEvent("people_exported", access, "people exported", slog.LevelInfo)
	LogExported          = securityEvent("log_exported", access, "log exported", slog.LevelInfo)
	StaffJoined          = securityEvent("staff_joined", "user", "created", slog.LevelInfo)
	RolesChanged         = securityEvent("roles_changed", "user", "updated", slog.LevelInfo)
	StaffRemoved         = securityEvent("staff_removed", "user", "removed", slog.LevelInfo)
	ResetLinkMade        = securityEvent("reset_link_made", "user", "reset", slog.LevelInfo)
	PasswordReset        = securityEvent("password_reset", "user", "password reset", slog.LevelInfo)
	PasswordChanged      = securityEvent("password_changed", "user", "password changed", slog.LevelInfo)
	PasswordSet          = securityEvent("password_set", "user", "password set", slog.LevelInfo)
	SecondFactorOn       = securityEvent("second_factor_on", "user", "second factor on", slog.LevelInfo)
	SecondFactorOff      = securityEvent("second_factor_off", "user", "second factor off", slog.LevelWarn)
	SecondFactorEnded    = securityEvent("second_factor_ended", "user", "second factor ended", slog.LevelWarn)
	SecondFactorLost     = securityEvent("second_factor_lost", "user", "second factor lost", slog.LevelWarn)
	PasskeyAdded         = securityEvent("passkey_added", "user", "passkey added", slog.LevelInfo)
	PasskeyRemoved       = securityEvent("passkey_removed", "user", "passkey removed", slog.LevelWarn)
	PasskeyCloned        = securityEvent("passkey_cloned", "user", "passkey cloned", slog.LevelWarn)
	Invited              = securityEvent("invited", "invitation", "created", slog.LevelInfo)
	InvitationWithdrawn  = securityEvent("invitation_withdrawn", "invitation", "withdrawn", slog.LevelInfo)
	SecondFactorRequired = securityEvent("second_factor_required", "organization", "second factor required", slog.LevelInfo)
	SecondFactorOptional = securityEvent("second_factor_optional", "organization", "second factor optional", slog.LevelWarn)
	APIKeyMade           = securityEvent("api_key_made", "api_key", "created", slog.LevelInfo)
	APIKeyRevoked        = securityEvent("api_key_revoked", "api_key", "revoked", slog.LevelInfo)
	EndpointAdded        = securityEvent("endpoint_added", "organization", "endpoint added", slog.LevelInfo)
	EndpointOn           = securityEvent("endpoint_on", "organization", "endpoint on", slog.LevelInfo)
	EndpointOff          = securityEvent("endpoint_off", "organization", "endpoint off", slog.LevelInfo)
	EndpointSecretMade   = securityEvent("endpoint_secret_made", "organization", "endpoint secret made", slog.LevelInfo)
	EndpointSecretOn     = securityEvent("endpoint_secret_on", "organization", "endpoint secret on", slog.LevelInfo)
	EndpointSecretGone   = securityEvent("endpoint_secret_gone", "organization", "endpoint secret gone", slog.LevelInfo)
	EndpointDeleted      = securityEvent("endpoint_deleted", "organization", "endpoint deleted", slog.LevelInfo)
	EventAdded           = securityEvent("event_added", "organization", "event added", slog.LevelInfo)
	EventCopied          = securityEvent("event_copied", "organization", "event copied", slog.LevelInfo)
	ProviderAdded        = securityEvent("provider_added", "organization", "provider added", slog.LevelInfo)
	ProviderChanged      = securityEvent("provider_changed", "organization", "provider changed", slog.LevelInfo)
	ProviderDeleted      = securityEvent("provider_deleted", "organization", "provider deleted", slog.LevelInfo)
	IdentityLinked       = securityEvent("identity_linked", "user", "identity linked", slog.LevelInfo)
	IdentityUnlinked     = securityEvent("identity_unlinked", "user", "identity unlinked", slog.LevelInfo)
	PasswordsOff         = securityEvent("passwords_off", "organization", "passwords off", slog.LevelInfo)
	PasswordsOn          = securityEvent("passwords_on", "organization", "passwords on", slog.LevelWarn)
	LogKept              = securityEvent("log_kept", "organization", "log kept", slog.LevelWarn)
	SettingsChanged      = securityEvent("settings_changed", "event", "updated", slog.LevelInfo)
	PersonErased         = securityEvent("person_erased", "contact", "erased", slog.LevelInfo)
)

// securityKinds are the kinds of all events.
var securityKinds []securityKind

func securityEvent(name SecurityEvent, subject, action string, level slog.Level) SecurityEvent {
	securityKinds = append(securityKinds, securityKind{name, subject, action, level})
	return name
}

// SecurityEvents returns the names of all events, in their order.
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
