package call

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"net/http"
	"strconv"
	"strings"
	"time"

	"lectern/models/call"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/call/public"
)

const (
	// trap is a field that people do not see, but programs fill in.
	trap = "website"
	// quickest is the shortest time in which a person fills in the form; anything faster is a program.
	quickest = 2 * time.Second
)

// startForm asks for a title, and who somebody is. Where no proposal can be begun, it shows the page of the call.
func startForm(v *visit) error {
	c, err := v.seen()
	if err != nil {
		return err
	}
	if !c.takes(v.w.store.Now()) {
		return v.landingPage(c)
	}
	return v.startPage(http.StatusOK, c.window, pages.StartPage{Code: c.code})
}

// startAgain shows the form with what was typed and what is wrong.
func (v *visit) startAgain(status int, p pages.StartPage) error {
	c, err := v.seen()
	if err != nil {
		return err
	}
	c.window.Invited = p.Code != "" // the page is the same for an invalid code, so that it does not tell which are valid
	return v.startPage(status, c.window, p)
}

func (v *visit) startPage(status int, window call.Window, p pages.StartPage) error {
	p.Public, p.Action, p.SignIn, p.Trap = v.sheet(v.T("call.start")), v.path("call/start"), v.path("place/sign-in"),
		trap
	p.Known = v.login != nil
	p.Opened = v.stamp(v.w.store.Now(), rand.Text())
	if window.Phase(v.w.store.Now()) == call.IsOpen {
		_, p.Closes, _ = v.clocks(window)
	}
	return v.Render(status, pages.Start(p))
}

// stamp signs a moment and a random name, so that only this service can have written it.
func (v *visit) stamp(at store.Time, name string) string {
	text := strconv.FormatInt(at.Unix(), 36) + "." + name
	return text + "." + v.w.site.Sign("opened", text)
}

// stampFault says what is wrong with a form that was sent faster than a person types, was never opened, or was opened
// too long ago; "" for nothing.
func (v *visit) stampFault(stamp string) string {
	text, rest, _ := strings.Cut(stamp, ".")
	name, _, _ := strings.Cut(rest, ".")
	seconds, err := strconv.ParseInt(text, 36, 64)
	at := store.At(time.Unix(seconds, 0))
	age := v.w.store.Now().Sub(at.Time)
	switch {
	case err != nil || !hmac.Equal([]byte(v.stamp(at, name)), []byte(stamp)) || age < quickest:
		return "That was quicker than anybody types. Send it once more."
	case age >= call.StampLifetime:
		return "This form was opened long ago. Send it once more."
	}
	return ""
}

// start begins a proposal.
func start(v *visit) error {
	p := pages.StartPage{Title: v.Value("title"), Name: v.Value("name"), Email: v.Value("email"), Code: v.Value("access")}
	if v.login != nil {
		return v.startAnother(p)
	}
	stamp := v.FormValue("opened")
	fault := v.stampFault(stamp)
	if v.FormValue(trap) != "" {
		fault = "Something filled in a field that people do not see. Send it once more."
	}
	if fault != "" {
		v.Faults = components.Faults{{Message: fault}}
		return v.startAgain(http.StatusUnprocessableEntity, p)
	}
	var begun *call.Begun
	b := call.Beginning{Name: p.Name, Email: p.Email, Password: v.FormValue("password"), Title: p.Title, Code: p.Code,
		Stamp: stamp, Browser: v.browser()}
	err := b.Prepare(v.ctx(), v.w.store, v.event)
	if err == nil && p.Code != "" {
		err = call.TryCode(v.ctx(), v.w.store, v.event, p.Code, v.Address())
	}
	if err != nil {
		return v.notStarted(err, p)
	}
	err = v.Once(func(ctx context.Context) (string, error) {
		var err error
		if begun, err = call.Begin(ctx, v.w.store, v.event, b, v.From()); err != nil {
			return "", err
		}
		return v.path("place/proposals", begun.Session.ID, "edit"), nil
	})
	if err != nil {
		return v.notStarted(err, p)
	}
	v.enter(begun.Token)
	v.mailWayBack(begun.Account, begun.Link)
	return v.See(v.path("place/proposals", begun.Session.ID, "edit"),
		v.T("begin.kept"))
}

// startAnother begins a proposal of a speaker who is signed in.
func (v *visit) startAnother(p pages.StartPage) error {
	if p.Code != "" {
		if err := call.TryCode(v.ctx(), v.w.store, v.event, p.Code, v.Address()); err != nil {
			return v.notStarted(err, p)
		}
	}
	var address string
	err := v.Once(func(ctx context.Context) (string, error) {
		s, err := v.place.Begin(ctx, v.event, p.Title, p.Code)
		if err != nil {
			return "", err
		}
		address = v.path("place/proposals", s.ID, "edit")
		return address, nil
	})
	if err != nil {
		return v.notStarted(err, p)
	}
	return v.See(address, v.T("begin.kept"))
}

// notStarted shows the form again with what is wrong.
func (v *visit) notStarted(err error, p pages.StartPage) error {
	status := http.StatusUnprocessableEntity
	switch {
	case call.IsRefused(err):
		v.Faults = components.Faults{{Message: err.Error()}}
	case store.KindOf(err) == store.TooMany:
		status, v.Faults = http.StatusTooManyRequests, components.Faults{{Message: err.Error()}}
	default:
		if err := v.KeepFaults(err); err != nil {
			return err
		}
		for i := range v.Faults {
			if v.Faults[i].Field == "code" {
				v.Faults[i].Field = ""
				v.Faults[i].Message = "The access code is not one of this call, or it is no longer good."
			}
		}
	}
	return v.startAgain(status, p)
}

// mailWayBack mails the link to their place to the address that somebody typed. An empty token means that the mail is
// to wait.
func (v *visit) mailWayBack(a *call.Account, token string) {
	if v.w.options.Mail == nil || token == "" {
		return
	}
	link := v.w.options.BaseURL + v.path("place/link", token)
	v.w.options.Mail.SendLater(a.Email, v.T("letter.wayback_subject", "Event", v.event.Name),
		v.T("letter.wayback", "Event", v.event.Name, "Link", link), func(error) {})
}
