package page

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"lectern/models"
)

// SentBefore is the error of a form that already made something.
type SentBefore struct {
	Address string // where that is shown
	Same    bool   // its fields are the same as then
}

func (s *SentBefore) Error() string { return "this form was sent before" }

// Once runs make and remembers the address that it returns. It answers SentBefore when this form was sent before.
func (v *Visit) Once(make func(ctx context.Context) (address string, err error)) error {
	return v.once(v.form+" "+v.Path(), v.sent(), make)
}

// OnceAsSent is Once for a form that may be sent again with other fields, such as a list's.
func (v *Visit) OnceAsSent(make func(ctx context.Context) (address string, err error)) error {
	content := v.sent()
	return v.once(v.form+" "+v.Path()+" "+content, content, make)
}

// sent returns a hash of all fields of the form.
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
