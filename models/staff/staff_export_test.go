package staff

import "lectern/models/signin"

// Rows are the structs that gorm reads and writes, by their table.
var Rows = map[string]any{
	"users": User{}, "event_roles": eventRole{}, "recovery_codes": recoveryCode{}, "logins": Login{},
	"sign_in_failures": signin.Failures{}, "staff_links": staffLink{},
}

// TOTPStep finds the step of 30 seconds that a code is of.
var TOTPStep = totpStep
