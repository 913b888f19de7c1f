package cfp

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"lectern/models/cfp"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/cfp"
	"lectern/web/request"
)

// askForLink answers the same whoever has the address, and as fast: whose it is is looked up behind the answer.
func askForLink(v *visit) error {
	p := pages.SignInPage{Email: v.Value("link_email"), Next: v.path("place")}
	if v.w.options.Mail == nil {
		return v.signInPage(http.StatusOK, p)
	}
	err := cfp.AskForLink(v.ctx(), v.w.store, v.event.OrganizationID, p.Email, v.Address())
	switch store.KindOf(err) {
	case store.Invalid:
		v.Faults = components.Faults{{Field: "link_email", Label: "The e-mail address",
			Message: "must be an address such as ana@example.org"}}
		return v.signInPage(http.StatusUnprocessableEntity, p)
	case store.TooMany:
		v.Faults = components.Faults{{Message: err.Error()}}
		return v.signInPage(http.StatusTooManyRequests, p)
	}
	if err != nil {
		return err
	}
	event, email, base := v.event, p.Email, v.w.options.BaseURL
	v.later("a link", func(ctx context.Context) error {
		token, err := cfp.MintLink(ctx, v.w.store, event, email)
		if err == nil && token != "" {
			v.mail(email, "Your place at "+event.Name, linkLetter(event.Name, base+v.path("place/link", token)))
		}
		return err
	})
	p.Asked = true
	return v.signInPage(http.StatusOK, p)
}

func linkLetter(event, link string) string {
	return "Hello,\n\nsomebody, probably you, asked for the way to your place at " + event +
		": your proposals, your sessions, and what was written to you.\n\n" + link +
		"\n\nThe link is good for 60 days, on any device. Whoever has it can come in, so keep it to yourself. If you did not " +
		"ask for it, do nothing.\n"
}

// errandTime is how long what is done behind an answer may take.
const errandTime = time.Minute

// later does what the time of an answer must tell nothing of.
func (v *visit) later(what string, do func(context.Context) error) {
	id := request.ID(v.Context())
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), errandTime)
		defer cancel()
		select {
		case v.w.errands <- struct{}{}:
			defer func() { <-v.w.errands }()
		case <-ctx.Done():
			slog.Error(what+" was not made: too many are wanted", "request_id", id)
			return
		}
		if err := do(ctx); err != nil {
			slog.Error(what+" was not made", "request_id", id, "error", err.Error())
		}
	}()
}

// mail sends a letter with a link, which is kept nowhere.
func (v *visit) mail(to, subject, text string) {
	v.w.options.Mail.SendLater(to, subject, text, func(err error) {
		if err != nil {
			slog.Error("a mail with a link was not sent", "error", err.Error())
		}
	})
}

// linkPage asks whether to open a link: what reads mails follows links too, and must not come in.
func linkPage(v *visit) error {
	if err := cfp.CheckLink(v.ctx(), v.w.store, v.event.OrganizationID, v.Params("token")); err != nil {
		return v.deadLink(err)
	}
	return v.Show(pages.OpenLink(pages.OpenLinkPage{Public: v.sheet("Open your place"), Action: v.Path()}))
}

// deadLink leads to where another link is asked for.
func (v *visit) deadLink(err error) error {
	if store.KindOf(err) != store.NotFound {
		return err
	}
	v.Faults = components.Faults{{Message: err.Error()}}
	return v.signInPage(http.StatusNotFound, pages.SignInPage{Next: v.path("place")})
}

// openLink lets who has the link in.
func openLink(v *visit) error {
	done, err := cfp.OpenLink(v.ctx(), v.w.store, v.event.OrganizationID, v.Params("token"), v.browser(), v.login)
	if err != nil {
		return v.deadLink(err)
	}
	return v.opened(done, v.path("place"))
}

// opened goes on with what a link let in to.
func (v *visit) opened(done *cfp.Opened, to string) error {
	if done.Token != "" {
		if err := v.endThisLogin(); err != nil {
			return err
		}
		v.enter(done.Token)
	}
	v.remember(done.Account)
	kind, told := "good", ""
	if done.IsNew {
		told = "Your address is confirmed."
	}
	if done.Dropped {
		kind, told = "warn", told+" A password had been set before that was proven, so it is gone, with all who came in by it. "+
			"Set one of your own under Profile."
	}
	if told != "" {
		v.KeepNotice(kind, strings.TrimSpace(told))
	}
	return v.See(to, "")
}

// confirmAgain mails the link once more by which the address of this account is proven.
func confirmAgain(v *visit) error {
	if err := v.mailAgain(); err != nil {
		return err
	}
	return v.See(v.path("place"), "")
}

// setPassword gives the account a password, or another one.
func setPassword(v *visit) error {
	err := v.place.SetPassword(v.ctx(), v.FormValue("current_password"), v.FormValue("password"))
	if err != nil {
		if store.KindOf(err) == store.TooMany {
			v.Faults = components.Faults{{Message: err.Error()}}
			return v.profilePage(http.StatusTooManyRequests, nil)
		}
		return v.Again(err, func(status int) error { return v.profilePage(status, nil) })
	}
	return v.See(v.path("place/profile"), "Your password is set. Other devices have to come in again.")
}

// leaveOthers forgets all other devices.
func leaveOthers(v *visit) error {
	return v.Done(v.place.LeaveOthers(v.ctx()), v.path("place/profile"), "All other devices are forgotten.")
}
