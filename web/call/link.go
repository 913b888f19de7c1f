package call

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"lectern/models/call"
	"lectern/models/signin"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/call/public"
	"lectern/views/words"
	"lectern/web/request"
)

// askForLink gives the same answer, equally fast, whether the address is known or not: it is looked up in the
// background.
func askForLink(v *visit) error {
	p := pages.SignInPage{Email: v.Value("link_email"), Next: v.path("place")}
	if !v.mails() {
		return v.signInPage(http.StatusOK, p)
	}
	err := call.AskForLink(v.ctx(), v.w.store, v.event.OrganizationID, p.Email, v.Address())
	switch store.KindOf(err) {
	case store.Invalid:
		v.Faults = components.Faults{{Field: "link_email", Label: v.T("field.link_email"),
			Message: "must be an address such as ana@example.org"}}
		return v.signInPage(http.StatusUnprocessableEntity, p)
	case store.TooMany:
		v.Faults = components.Faults{{Message: err.Error()}}
		return v.signInPage(http.StatusTooManyRequests, p)
	}
	if err != nil {
		return err
	}
	v.mailLink(p.Email)
	p.Asked = true
	return v.signInPage(http.StatusOK, p)
}

// mailLink mails a link to whoever has an address, in the background, if anybody has.
func (v *visit) mailLink(email string) {
	event, base, l := v.event, v.w.options.BaseURL, v.Language
	v.later("a link", func(ctx context.Context) error {
		token, err := call.MintLink(words.With(ctx, l), v.w.store, event, email)
		if err == nil && token != "" {
			v.mail(email, l.T("letter.link_subject", "Event", event.Name),
				l.T("letter.link", "Event", event.Name, "Link", base+v.path("place/link", token)))
		}
		return err
	})
}

// errandTime is how long background work may take.
const errandTime = time.Minute

// later runs in the background what an answer must not wait for, or whose duration would tell something.
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

// mail sends a mail with a link, which is stored nowhere.
func (v *visit) mail(to, subject, text string) {
	v.w.options.Mail.SendLater(to, subject, text, func(err error) {
		if err != nil {
			slog.Error("a mail with a link was not sent", "error", err.Error())
		}
	})
}

// linkPage asks for confirmation before a link is opened: programs that scan mails follow links, and must not be let
// in.
func linkPage(v *visit) error {
	err := call.CheckLink(v.ctx(), v.w.store, v.event.OrganizationID, v.Params("token"), v.browser(), v.login)
	if err != nil {
		return v.deadLink(err)
	}
	return v.Show(pages.OpenLink(pages.OpenLinkPage{Public: v.sheet(v.T("link.open")), Action: v.Path()}))
}

// deadLink shows where to ask for another link. For a link of another browser, it offers to mail a fresh one.
func (v *visit) deadLink(err error) error {
	if errors.Is(err, call.Elsewhere) {
		return v.elsewherePage(http.StatusForbidden, false)
	}
	if store.KindOf(err) != store.NotFound {
		return err
	}
	v.Faults = components.Faults{{Message: err.Error()}}
	return v.signInPage(http.StatusNotFound, pages.SignInPage{Next: v.path("place")})
}

// elsewherePage offers to mail a fresh link, or says that one was sent.
func (v *visit) elsewherePage(status int, sent bool) error {
	email, err := call.FreshTo(v.ctx(), v.w.store, v.event.OrganizationID, v.Params("token"))
	if err != nil {
		return v.deadLink(err)
	}
	p := pages.ElsewherePage{Public: v.sheet(v.T("link.isyou")), Address: call.Masked(email), Sent: sent,
		Action: v.path("place/fresh", v.Params("token")), SignIn: v.path("place/sign-in"), Mailed: v.mails()}
	return v.Render(status, pages.Elsewhere(p))
}

// freshLink mails a fresh link to the address of a link that belongs to another browser.
func freshLink(v *visit) error {
	email, err := call.FreshTo(v.ctx(), v.w.store, v.event.OrganizationID, v.Params("token"))
	if err != nil {
		return v.deadLink(err)
	}
	if !v.mails() {
		return v.elsewherePage(http.StatusOK, false)
	}
	err = call.AskForLink(v.ctx(), v.w.store, v.event.OrganizationID, email, v.Address())
	if store.KindOf(err) == store.TooMany {
		v.Faults = components.Faults{{Message: err.Error()}}
		return v.elsewherePage(http.StatusTooManyRequests, false)
	}
	if err != nil {
		return err
	}
	v.mailLink(email)
	return v.elsewherePage(http.StatusOK, true)
}

// openLink signs in whoever has the link.
func openLink(v *visit) error {
	done, err := call.OpenLink(v.ctx(), v.w.store, v.event.OrganizationID, v.Params("token"), v.named(), v.login)
	if err != nil {
		return v.deadLink(err)
	}
	return v.opened(done, v.path("place"))
}

// named returns this browser, after naming it if it has no name yet.
func (v *visit) named() call.Browser {
	b := v.browser()
	if b.Device == "" {
		b.Device = signin.NewToken()
	}
	v.SetCookie(deviceCookie, b.Device, int(call.LinkLifetime/time.Second))
	return b
}

// opened signs in by the link that was opened, and goes on to an address.
func (v *visit) opened(done *call.Opened, to string) error {
	if done.Token != "" {
		if err := v.endThisLogin(done.Account); err != nil {
			return err
		}
		v.enter(done.Token)
	}
	v.remember(done.Account)
	kind, told := "good", ""
	if done.IsNew {
		told = v.T("link.isconfirmed")
	}
	if done.Dropped {
		kind, told = "warn", told+" "+v.T("link.dropped")
	}
	if told != "" {
		v.KeepNotice(kind, strings.TrimSpace(told))
	}
	return v.See(to, "")
}

// confirmAgain mails again the link that proves the account's address.
func confirmAgain(v *visit) error {
	if err := v.mailAgain(); err != nil {
		return err
	}
	return v.See(v.path("place"), "")
}

// mails tells whether links can be mailed.
func (v *visit) mails() bool { return v.w.options.Mail != nil }

// freshTo returns the address at which a fresh link is asked for, "" without a mail server.
func (v *visit) freshTo() string {
	if !v.mails() {
		return ""
	}
	return v.path("place/fresh")
}

// askFresh mails a fresh link to the account's address, after which a password can be set.
func askFresh(v *visit) error {
	a := v.place.Account()
	err := call.AskForLink(v.ctx(), v.w.store, v.event.OrganizationID, a.Email, v.Address())
	if err == nil && v.mails() {
		v.mailLink(a.Email)
	}
	if err = v.leaveNotice(err, v.T("link.freshmailed", "Address", a.Masked())); err != nil {
		return err
	}
	return v.See(v.path("place/profile"), "")
}

// setPassword sets or changes the account's password.
func setPassword(v *visit) error {
	err := v.place.SetPassword(v.ctx(), v.event, v.FormValue("current_password"), v.FormValue("password"))
	if err != nil {
		if store.KindOf(err) == store.TooMany {
			v.Faults = components.Faults{{Message: err.Error()}}
			return v.profilePage(http.StatusTooManyRequests, nil)
		}
		return v.Again(err, func(status int) error { return v.profilePage(status, nil) })
	}
	return v.See(v.path("place/profile"), v.T("link.passwordset"))
}

// leaveOthers signs out all other devices.
func leaveOthers(v *visit) error {
	return v.Done(v.place.LeaveOthers(v.ctx(), v.event), v.path("place/profile"), v.T("link.othersleft"))
}
