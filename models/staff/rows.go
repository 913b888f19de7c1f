package staff

import (
	"lectern/models/passkey"
	"lectern/models/signin"
)

// Rows are the structs of this package's tables; a test compares them with the schema.
var Rows = map[string]any{
	"users": User{}, "event_roles": eventRole{}, "recovery_codes": recoveryCode{}, "logins": Login{},
	"sign_in_failures": signin.Failures{}, "staff_links": staffLink{}, "passkeys": Passkey{}, "answered_challenges": passkey.Answered{},
	"identity_providers": Provider{}, "identities": Identity{}, "provider_visits": ProviderVisit{},
}
