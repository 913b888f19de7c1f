package admin

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"lectern/models"
)

// A form's token names the form beside its proof, so that one that was sent
// before is known again.

// formToken is the proof of the forms of this page. The page that answers a form
// carries the name of that form on.
func (v *visit) formToken() string {
	if v.form == "" {
		v.form = rand.Text()
	}
	return v.form + "." + v.w.sign("form", v.form+v.token)
}

// ownForm tells whether a token is that of a form of this browser and sign-in. A
// form of another one keeps its name, for the page that offers to send it again.
func (v *visit) ownForm(token string) bool {
	name, proof, _ := strings.Cut(token, ".")
	if len(name) != len(rand.Text()) {
		return false
	}
	v.form = name
	return hmac.Equal([]byte(proof), []byte(v.w.sign("form", name+v.token)))
}

// sentBefore is a form that made something before.
type sentBefore struct {
	address string // of what it made
	same    bool   // it was sent as it was then
}

func (s *sentBefore) Error() string { return "this form was sent before" }

// once makes what a form asks for and remembers the address of that. A form that
// was sent before is answered sentBefore.
func (v *visit) once(make func(ctx context.Context) (address string, err error)) error {
	sent, _ := json.Marshal(v.sent())
	sum := sha256.Sum256(sent)
	content := hex.EncodeToString(sum[:])
	kept, again, err := v.w.store.Once(v.ctx(), models.OnceByForm(v.form+" "+v.Path(), content), make)
	if err == nil && again {
		err = &sentBefore{address: kept.Answer, same: kept.Request == content}
	}
	return err
}
