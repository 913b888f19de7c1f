package call

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
	"lectern/models/call"
	"lectern/models/signin"
	"lectern/models/store"
	"lectern/models/tasks"
	"lectern/views/layouts"
	"lectern/views/words"
	"lectern/web/page"
)

// visit is one request of a stranger or of a speaker.
type visit struct {
	*page.Visit
	*words.Language
	chosen bool // somebody chose the language
	w      *Web
	event  *models.Event // the event of the path
	login  *call.Login   // nil for strangers
	place  *call.Place   // the place that the login opens
	// skimmed holds the sizes of the files in a form of which only the fields were read.
	skimmed  map[string]int64
	mine     []*tasks.SpeakerTask // cache of myTasks
	hasTasks bool
}

func (w *Web) visit(c *fiber.Ctx) *visit {
	return &visit{Visit: w.site.Visit(c), w: w, Language: words.English()}
}

func (v *visit) ctx() context.Context { return v.UserContext() }

// path returns an address below the event's.
func (v *visit) path(parts ...string) string { return pathOf(v.event, parts...) }

func pathOf(e *models.Event, parts ...string) string {
	return "/events/" + e.Slug + "/" + strings.Join(parts, "/")
}

const (
	loginCookie    = "lectern-speaker"
	familiarCookie = "lectern-familiar-speaker" // marks a browser that signed in before
	deviceCookie   = "lectern-device"           // names a browser to the links that it opens
)

// device returns the name of this browser to the links that it opens, "" for none.
func (v *visit) device() string {
	if name := v.CookieValue(deviceCookie); len(name) == signin.TokenLength {
		return name
	}
	return ""
}

// identify reads the event by its slug or id, the language of the answer, and the browser's login if it opens something
// there.
func (v *visit) identify(event string) (err error) {
	if v.event, err = v.w.store.EventBy(v.ctx(), event); err != nil {
		v.Language, v.chosen = v.Speak(v.Query("lang"), words.All())
		return err
	}
	v.Language, v.chosen = v.Speak(v.Query("lang"), v.Offered(v.event))
	if token := v.CookieValue(loginCookie); token != "" {
		login, err := call.LoginBy(v.ctx(), v.w.store, token)
		switch kind := store.KindOf(err); {
		case kind == store.Unauthorized:
			v.DropCookie(loginCookie)
		case err != nil:
			return err
		case login.Account.OrganizationID == v.event.OrganizationID && login.Opens(v.event.ID):
			v.Bind(token)
			v.login, v.place = login, call.PlaceOf(v.w.store, login, v.From())
			if place, tag := v.place, v.Tag; login.Account.Language != tag { // in the background
				v.later("a note of the language", func(ctx context.Context) error { return place.Speaks(ctx, tag) })
			}
		}
	}
	v.ReadNotice()
	return nil
}

// remember marks this browser as one that signed in to an account, unless the account's address is not proven.
func (v *visit) remember(a *call.Account) {
	if a.IsConfirmed() {
		v.RememberBrowser(familiarCookie, familiarTo(a.OrganizationID, a.Email))
	}
}

// familiarTo returns the name of an account for which browsers are marked.
func familiarTo(organizationID, email string) string {
	return organizationID + " " + strings.TrimSpace(email)
}

// enter gives the browser the token of a login.
func (v *visit) enter(token string) {
	v.SetCookie(loginCookie, token, int(call.LoginLifetime/time.Second))
	v.DropCookie(page.BrowserCookie)
	v.Bind(token)
}

// leave forgets the login of this browser, also for the rest of this answer.
func (v *visit) leave() {
	v.DropCookie(loginCookie)
	v.login, v.place = nil, nil
	v.NameBrowser()
}

// admit checks that the visitor may use a route.
func (v *visit) admit(needs access) error {
	if needs == speaker && v.login == nil {
		return signin.ErrSignedOut
	}
	return nil
}

// fail answers an error: it leads to the sign-in, or shows a page that explains it.
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
	return v.FailIn(err, func(title string, why layouts.Failure) templ.Component {
		return layouts.EventProblem(v.sheet(title), why)
	})
}

// sentLabels returns the labels of the fields of the form that was sent.
func (v *visit) sentLabels() map[string]string {
	labels := map[string]string{"title": v.T("begin.title"), "name": v.T("begin.name"), "email": v.T("begin.email"),
		"link_email": v.T("begin.email"), "reason": v.T("talk.why")}
	if u := uploadAt(v.Path()); u == nil || v.Reads() {
		return labels
	}
	for _, name := range slices.Concat(call.ProfileFields, call.AvailabilityFields) {
		labels[name] = v.labelled(name)
	}
	maps.Copy(labels, v.taskLabels())
	form, err := call.FormOf(v.ctx(), v.w.store, v.event)
	if err != nil { // the fields' names will do
		return labels
	}
	v.worded(form)
	for _, q := range form.Questions() {
		labels[q.Field()] = q.Label
	}
	return labels
}

// safeNext returns an address within this event's place to go on to, or the place itself.
func (v *visit) safeNext(next string) string {
	if below := v.path("place"); next == below || strings.HasPrefix(next, below+"/") && !strings.Contains(next, "\\") {
		return next
	}
	return v.path("place")
}
