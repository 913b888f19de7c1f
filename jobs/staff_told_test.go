package jobs_test

import (
	"strings"
	"testing"

	"lectern/jobs"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestAChangeOfASecondFactorIsToldByMail(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		office, at := openPost(t)
		ada := modelstest.FirstOwner(t, f)
		told := func(want int) {
			t.Helper()
			modelstest.Must(jobs.NewLetters(f.Store, at, "p@post.test").SendDue(t.Context()))(t)
			modelstest.Want(t, "letters to Ada", len(office.got(ada.Email)), want)
		}
		modelstest.WithTOTP(t, f, ada, modelstest.SecretPhrase)
		told(0) // there is no mail server
		f.Options.HasMail = true
		modelstest.WantKind(t, "turning it off", f.Staff.DisableTOTP(t.Context(), ada, modelstest.SecretPhrase), 0)
		told(1)
		modelstest.WantKind(t, "with a wrong password", f.Staff.DisableTOTP(t.Context(), ada, "wrong"), store.Invalid)
		modelstest.WithTOTP(t, f, ada, modelstest.SecretPhrase)
		told(2)
		if mail := office.got(ada.Email)[1]; !strings.Contains(mail, "Subject: Your second factor is on") ||
			!strings.Contains(mail, "If this was not you") {
			t.Errorf("it says %s", mail)
		}
	})
}
