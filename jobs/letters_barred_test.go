package jobs_test

import (
	"strings"
	"testing"

	"lectern/jobs"
	"lectern/jobs/mailtest"
	"lectern/models"
	"lectern/models/letters"
	"lectern/models/modelstest"
)

// TestAFaultOfTheConfigurationKeepsLettersWaiting: no letter fails for what is wrong with all of them, and one attempt
// tells.
func TestAFaultOfTheConfigurationKeepsLettersWaiting(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		own, trusted := certificate(t)
		_, others := certificate(t)
		accepted(t, f, "T", person("a@x.org"), person("b@x.org"), person("c@x.org"))
		modelstest.Must(letters.Of(f.Programme()).SendChosen(ctx, letters.Choice{}, 3))(t)
		f.Clock.Move(letters.Hold)
		guarded := mailServer(t, "smtp://ada:wrong@"+(&mailtest.PostOffice{TLS: own, User: "ada:right"}).Open(t).Address())
		guarded.TLS = trusted
		plain := mailServer(t, "smtp://"+(&mailtest.PostOffice{}).Open(t).Address())
		office, at := openPost(t)
		misnamed, stranger := *at, *at
		misnamed.TLS = trusted.Clone()
		misnamed.TLS.ServerName = "mail.example.org"
		stranger.TLS = others
		for _, fault := range []struct {
			server *jobs.MailServer
			says   string
		}{{guarded, "535: the mail server does not take our name and password"},
			{&misnamed, "The mail server has a certificate for another name"},
			{&stranger, "The mail server has a certificate that nobody vouches for"},
			{plain, "The mail server does not speak as it should: without encryption, or without a sign-in"}} {
			sender := jobs.NewLetters(f.Store, fault.server, "p@post.test")
			modelstest.Want(t, "attempts after "+fault.says, modelstest.Must(sender.SendDue(ctx))(t), 1)
			if c := modelstest.Must(letters.Of(f.Programme()).Counts(ctx))(t); c.Barred != fault.says || c.Held != 3 {
				t.Errorf("%q with %d waiting, not %q", c.Barred, c.Held, fault.says)
			}
		}
		modelstest.Must(jobs.NewLetters(f.Store, at, "p@post.test").SendDue(ctx))(t)
		if c := modelstest.Must(letters.Of(f.Programme()).Counts(ctx))(t); c.Sent != 3 || c.Barred != "" || office.Count() != 3 {
			t.Errorf("%+v", c)
		}
	})
}

// TestNothingInANameOrSubjectBecomesAHeader writes what no operation lets in straight into the rows.
func TestNothingInANameOrSubjectBecomesAHeader(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		office, at := openPost(t)
		accepted(t, f, "T", person("a@x.org"))
		for _, statement := range []string{
			"UPDATE contacts SET full_name = 'Ada\r\nBcc: eve@x.org\r\n\r\nHi' WHERE email = 'a@x.org'",
			"UPDATE letters SET subject = 'Yes\r\nBcc: eve@x.org\r\n\r\nHi'"} {
			modelstest.Exec(t, f.SQL, statement)
		}
		modelstest.Fine(t, f.Programme().Mails().Send(t.Context(), models.Note{Name: "Li\nCc: eve@x.org",
			Email: "li@x.org", Subject: "Two\r\nCc: eve@x.org", Text: "wait"}))
		modelstest.Must(letters.Of(f.Programme()).SendChosen(t.Context(), letters.Choice{}, 1))(t)
		f.Clock.Move(letters.Hold)
		modelstest.Must(jobs.NewLetters(f.Store, at, "p@post.test").SendDue(t.Context()))(t)
		for _, to := range []string{"a@x.org", "li@x.org"} {
			head, _, _ := strings.Cut(office.got(to)[0], "\r\n\r\n")
			for line := range strings.SplitSeq(head, "\r\n") {
				if name := strings.ToLower(line); strings.HasPrefix(name, "bcc:") || strings.HasPrefix(name, "cc:") {
					t.Errorf("%s: %s", to, line)
				}
			}
			if len(office.got(to)) != 1 || office.Count() != 2 {
				t.Errorf("%s got %d letters of %d", to, len(office.got(to)), office.Count())
			}
		}
	})
}
