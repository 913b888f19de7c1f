package cfp

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/signin"
	"lectern/models/store"
	"lectern/models/task"
	"lectern/views/layouts"
	"lectern/views/words"
	"lectern/web/page"
)

// visit is one request of a stranger or of somebody who speaks.
type visit struct {
	*page.Visit
	*words.Language
	chosen bool // somebody chose the language
	w      *Web
	event  *models.Event // of the address
	login  *cfp.Login    // nil of strangers
	place  *cfp.Place    // that the login opens
	// skimmed is how large the files were of a form of which only the fields were read.
	skimmed  map[string]int64
	mine     []*task.Mine // what is asked of whose place it is, once it was read
	hasTasks bool
}

func (w *Web) visit(c *fiber.Ctx) *visit {
	return &visit{Visit: w.site.Visit(c), w: w, Language: words.English()}
}

func (v *visit) ctx() context.Context { return v.UserContext() }

// path is an address below the event's.
func (v *visit) path(parts ...string) string { return pathOf(v.event, parts...) }

func pathOf(e *models.Event, parts ...string) string {
	return "/events/" + e.Slug + "/" + strings.Join(parts, "/")
}

const (
	loginCookie    = "lectern-speaker"
	familiarCookie = "lectern-familiar-speaker" // names a browser that signed in before
	deviceCookie   = "lectern-device"           // names a browser to the links that it opens
)

// device is the name of this browser to the links that it opens, "" of one without.
func (v *visit) device() string {
	if name := v.CookieValue(deviceCookie); len(name) == signin.TokenLength {
		return name
	}
	return ""
}

// identify finds an event by its slug or id, the language of the answer, and the login of the browser if it has one
// there.
func (v *visit) identify(event string) (err error) {
	if v.event, err = v.w.store.EventBy(v.ctx(), event); err != nil {
		v.Language, v.chosen = v.Speak(v.Query("lang"), words.All())
		return err
	}
	v.Language, v.chosen = v.Speak(v.Query("lang"), v.Offered(v.event))
	if token := v.CookieValue(loginCookie); token != "" {
		login, err := cfp.LoginBy(v.ctx(), v.w.store, token)
		switch kind := store.KindOf(err); {
		case kind == store.Unauthorized:
			v.DropCookie(loginCookie)
		case err != nil:
			return err
		case login.Account.OrganizationID == v.event.OrganizationID && login.Opens(v.event.ID):
			v.Bind(token)
			v.login, v.place = login, cfp.PlaceOf(v.w.store, login, v.From())
			if place, tag := v.place, v.Tag; login.Account.Language != tag { // behind the answer, which needs no write
				v.later("a note of the language", func(ctx context.Context) error { return place.Speaks(ctx, tag) })
			}
		}
	}
	v.ReadNotice()
	return nil
}

// remember has the browser known again by which somebody came in. Who has not proven the address may be anybody.
func (v *visit) remember(a *cfp.Account) {
	if a.IsConfirmed() {
		v.RememberBrowser(familiarCookie, familiarTo(a.OrganizationID, a.Email))
	}
}

// familiarTo is what a browser is known to.
func familiarTo(organizationID, email string) string {
	return organizationID + " " + strings.TrimSpace(email)
}

// enter gives the browser the token of a login.
func (v *visit) enter(token string) {
	v.SetCookie(loginCookie, token, int(cfp.LoginLifetime/time.Second))
	v.DropCookie(page.BrowserCookie)
	v.Bind(token)
}

// leave forgets the login of this browser, for what comes after the answer.
func (v *visit) leave() {
	v.DropCookie(loginCookie)
	v.login, v.place = nil, nil
	v.NameBrowser()
}

// admit lets in who a route is for.
func (v *visit) admit(needs access) error {
	if needs == speaker && v.login == nil {
		return signin.ErrSignedOut
	}
	return nil
}

// fail answers what no page could: by the way in, or by a page that says why.
func (v *visit) fail(err error) error {
	if store.KindOf(err) == store.Unauthorized && v.Reads() && v.event != nil {
		return v.Redirect(v.path("place/sign-in")+"?next="+url.QueryEscape(v.OriginalURL()), fiber.StatusSeeOther)
	}
	if v.event == nil {
		return v.Fail(page.OfNoEvent(err), nil)
	}
	v.Labels = v.sentLabels()
	if errors.Is(err, page.LateForm) || store.KindOf(err) == store.Unauthorized {
		err = v.lateForm()
	}
	return v.FailIn(err, func(title string, why layouts.Reason) templ.Component {
		return layouts.Trouble(v.sheet(title), why)
	})
}

// sentLabels are what the fields of the form are called that was sent.
func (v *visit) sentLabels() map[string]string {
	labels := map[string]string{"title": v.T("begin.title"), "name": v.T("begin.name"), "email": v.T("begin.email"),
		"link_email": v.T("begin.email"), "reason": v.T("talk.why")}
	if u := uploadAt(v.Path()); u == nil || v.Reads() {
		return labels
	}
	for _, name := range slices.Concat(cfp.ProfileFields, cfp.AvailabilityFields) {
		labels[name] = v.labelled(name)
	}
	maps.Copy(labels, v.taskLabels())
	form, err := cfp.FormOf(v.ctx(), v.w.store, v.event)
	if err != nil { // the names do
		return labels
	}
	v.worded(form)
	for _, q := range form.Questions() {
		labels[q.Field()] = q.Label
	}
	return labels
}

// safeNext is an address of the place of this event to go on to, or the place itself.
func (v *visit) safeNext(next string) string {
	if below := v.path("place"); next == below || strings.HasPrefix(next, below+"/") && !strings.Contains(next, "\\") {
		return next
	}
	return v.path("place")
}
