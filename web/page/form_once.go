package page

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"lectern/models"
)

// SentBefore is a form that made something before.
type SentBefore struct {
	Address string // of what it made
	Same    bool   // it was sent as it was then
}

func (s *SentBefore) Error() string { return "this form was sent before" }

// Once makes what a form asks for and remembers the address of that. A form that
// was sent before is answered SentBefore.
func (v *Visit) Once(make func(ctx context.Context) (address string, err error)) error {
	return v.once(v.form+" "+v.Path(), v.sent(), make)
}

// OnceAsSent is Once for a form that may be sent again with other fields, as that of a list.
func (v *Visit) OnceAsSent(make func(ctx context.Context) (address string, err error)) error {
	content := v.sent()
	return v.once(v.form+" "+v.Path()+" "+content, content, make)
}

// sent stands for all fields of the form.
func (v *Visit) sent() string {
	fields, _ := json.Marshal(v.FormFields())
	sum := sha256.Sum256(fields)
	return hex.EncodeToString(sum[:])
}

func (v *Visit) once(key, content string, make func(ctx context.Context) (address string, err error)) error {
	kept, again, err := v.site.store.Once(v.UserContext(), models.OnceByForm(key, content), make)
	if err == nil && again {
		err = &SentBefore{Address: kept.Answer, Same: kept.Request == content}
	}
	return err
}
