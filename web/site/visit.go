package site

import (
	"bytes"
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/embed"
	"lectern/models/look"
	"lectern/models/site"
	"lectern/models/store"
	"lectern/views/layouts"
	"lectern/views/words"
	"lectern/web/page"
	"lectern/web/request"
)

// visit is a stranger's request for a page of an event.
type visit struct {
	*page.Visit
	*words.Language
	s         *handlers
	route     route
	event     *models.Event
	programme *models.Programme
	agenda    *site.Agenda // nil where nothing was ever public
	look      *look.Look
	embed     *embed.Embed // the embed that shows the page, nil on the event's own site
	previewed *previewed   // set in the preview of an embed that need not be saved, else nil
	origin    string       // put before addresses in insets, which stand in other sites' pages; else ""
	styles    string       // the style sheet of the look
	zone      *time.Location
	query     url.Values     // the parameters that the route reads
	isRare    bool           // see isNarrowed: the page is not cached
	isCut     bool           // a search was cut
	carried   url.Values     // the parameters that links to other pages keep: the language, the clock and what is starred
	mistyped  string         // a clock that does not exist
	theirs    *time.Location // see compareClocks; nil where only the event's clock is shown

	named   names            // cache of names
	starred []int            // cache of mine
	days    []string         // cache of agendaDays
	dates   map[int64]string // cache of dayOf, by moment
}

// errGone is the error of a page that existed once.
var errGone = errors.New("this page was public once")

// serve answers with a page of a route.
func (s *handlers) serve(r route) fiber.Handler {
	return func(c *fiber.Ctx) error {
		v := &visit{Visit: s.frame.Visit(c), s: s, route: r, Language: words.English()}
		return v.Answer(v.show, v.fail)
	}
}

// inSmallLetters redirects an event's short name in capitals, which no event has, to lower case, for all public
// addresses of an event.
func inSmallLetters(c *fiber.Ctx) error {
	rest, found := strings.CutPrefix(c.OriginalURL(), "/events/")
	name := rest[:strings.IndexAny(rest+"/", "/?")]
	small := strings.ToLower(name)
	if !found || small == name || c.Method() != http.MethodGet && c.Method() != http.MethodHead {
		return c.Next()
	}
	page.Public.Set(c)
	return c.Redirect("/events/"+small+rest[len(name):], http.StatusMovedPermanently)
}

func (v *visit) show() (err error) {
	if v.event, err = v.s.store.EventBy(v.UserContext(), v.Params("event")); err != nil {
		v.Language, _ = v.Speak(v.Query("lang"), words.All())
		return err
	}
	if v.Params("event") != v.event.Slug {
		_, below, _ := strings.Cut(strings.TrimPrefix(v.OriginalURL(), "/events/"), v.Params("event"))
		return v.Redirect(v.home()+below, http.StatusMovedPermanently)
	}
	v.programme = v.s.store.Programme(v.event, store.By{})
	v.read()
	return v.answer("")
}

// answer answers with the page of the present state, from the cache or made anew; beside is added to the key to tell
// apart pages with the same address.
func (v *visit) answer(beside string) (err error) {
	of, pages := state{agenda: v.programme.AgendaState(), now: v.slot()}, v.s.pages
	if v.route.draw != nil { // pictures show no passing time
		of.now, pages = 0, v.s.pictures
	}
	var answer *answer
	if v.isRare = v.isNarrowed(); v.isRare {
		answer, err = v.build()
	} else {
		key := strings.Join([]string{v.event.ID, v.Tag, v.carried.Encode(), v.Path(), v.query.Encode(), beside}, " ")
		answer, err = pages.get(key, of, v.build)
	}
	if err != nil {
		return err
	}
	return v.send(answer)
}

// isNarrowed tells whether the address asks for a page that few others ask for: anything but a part of a list.
func (v *visit) isNarrowed() bool {
	if v.mistyped != "" {
		return true
	}
	for name := range v.query {
		if !slices.Contains(parting, name) {
			return true
		}
	}
	return false
}

// longestValue is how many bytes a parameter may have: enough for the numbers of mostStarred sessions.
const longestValue = 6 * mostStarred

// read takes from the address the parameters that the route reads, and the language.
func (v *visit) read() {
	v.query, v.carried = url.Values{}, url.Values{}
	all, _ := url.ParseQuery(string(v.Context().QueryArgs().QueryString()))
	for _, name := range v.route.reads {
		for _, value := range all[name] {
			if value = strings.TrimSpace(value); name == "q" {
				value = v.searchable(value)
			}
			if value != "" && len(v.query[name]) < 50 && len(value) <= longestValue {
				v.query.Add(name, value)
			}
		}
	}
	if typed := v.query.Get("tz"); typed != "" && clockNamed(typed) == nil {
		v.mistyped = typed
		v.query.Del("tz")
	}
	for _, name := range carrying {
		if v.query.Has(name) {
			v.carried.Set(name, v.query.Get(name))
		}
	}
	offered, asked := v.Offered(v.event), all.Get("lang")
	if v.embed != nil {
		if asked = cmp.Or(v.embed.Language, asked); v.embed.Language != "" {
			offered = words.All()
		}
	}
	var chosen bool
	if v.Language, chosen = v.Speak(asked, offered); chosen {
		v.carried.Set("lang", v.Tag)
	}
}

// longestSearch is how many characters of a search count.
const longestSearch = 100

// searchable cuts a search to longestSearch; the page says so.
func (v *visit) searchable(text string) string {
	if runes := []rune(text); len(runes) > longestSearch {
		text, v.isCut = string(runes[:longestSearch]), true
	}
	return text
}

// cut says that a search was cut, "" where it was not.
func (v *visit) cut() string {
	if v.isCut {
		return v.T("filter.cut", "Count", longestSearch)
	}
	return ""
}

// build reads what the page shows, and renders it; it answers NoPage for one that the event does not have.
func (v *visit) build() (*answer, error) {
	agenda, err := site.Of(v.programme).Agenda(v.UserContext())
	if err != nil && store.KindOf(err) != store.NotFound {
		return nil, err
	}
	if v.agenda = agenda; agenda != nil && v.embed != nil {
		v.agenda = within(v.embed, agenda)
	}
	if err := v.dress(); err != nil {
		return nil, err
	}
	v.compareClocks()
	if !v.look.Has(look.Schedule) {
		v.query.Del("my")
		v.carried.Del("my")
	}
	if v.route.needsProgramme && v.agenda == nil || v.route.page != "" && !v.look.Has(v.route.page) {
		return nil, page.NoPage
	}
	if v.route.draw != nil {
		return v.draw()
	}
	shown, err := v.route.show(v)
	if err != nil {
		return nil, err
	}
	return v.render(shown)
}

// dress reads the event's look, and sets its clock.
func (v *visit) dress() (err error) {
	v.zone, v.dates = v.event.Location(), map[int64]string{}
	if v.look, err = look.Of(v.programme).Look(v.UserContext()); err != nil {
		return err
	}
	if v.embed != nil && v.embed.Accent != "" {
		v.look.Colours = look.Derive(v.embed.Accent, v.look.Paper)
	}
	tracks, err := v.programme.Family(v.UserContext(), models.Tracks)
	v.styles = v.look.StyleSheet(tracks)
	return err
}

func (v *visit) render(shown templ.Component) (*answer, error) {
	var out bytes.Buffer
	if err := shown.Render(v.UserContext(), &out); err != nil {
		return nil, err
	}
	level := keptPack
	if v.isRare || v.previewed != nil {
		level = quickPack
	}
	return newAnswer(http.StatusOK, out.Bytes(), level), nil
}

// send answers with a page as the browser accepts it, or 304.
func (v *visit) send(a *answer) error {
	form, tag := a.accepted(v.Ctx)
	v.Set(fiber.HeaderETag, tag)
	if request.IsKnown(v.Get(fiber.HeaderIfNoneMatch), tag) {
		v.Response().Header.Del(fiber.HeaderContentEncoding)
		return v.Status(http.StatusNotModified).Send(nil)
	}
	if v.Type(a.kind); a.kind == "html" {
		v.Type(a.kind, "utf-8")
	}
	v.Status(a.status).Response().SetBodyRaw(form())
	return nil
}

// fail answers an error, in the frame of the event if there is one.
func (v *visit) fail(err error) error {
	if v.event == nil {
		return v.Fail(page.OfNoEvent(err), nil)
	}
	if m, is := errors.AsType[moved](err); is {
		return v.redirect(m)
	}
	if errors.Is(err, errGone) {
		err = &page.Problem{Status: http.StatusGone, Title: v.T("frame.gone"), Text: v.T("frame.gonetext"),
			First: layouts.Step{Name: v.T("frame.toprogramme"), URL: v.home()}}
	}
	if v.look == nil { // the error came before the look was read
		if v.programme == nil || v.dress() != nil {
			return v.Fail(err, nil)
		}
	}
	return v.FailIn(err, func(title string, why layouts.Failure) templ.Component {
		said, _ := v.Fault(title)
		return layouts.SiteProblem(v.bare(said), why)
	})
}

// now returns the time by the event's clock.
func (v *visit) now() time.Time { return v.s.Now().In(v.zone) }

// isOn tells whether the event is under way, today or through the night after its last day. Before, no session is over,
// and afterwards all are, which goes without saying.
func (v *visit) isOn() bool {
	if v.event.StartsOn == nil {
		return false
	}
	first, last := page.Span(v.event)
	day := v.now().Format(time.DateOnly)
	return day >= first.Format(time.DateOnly) && day <= last.AddDate(0, 0, 1).Format(time.DateOnly)
}

// slot returns the time that a page shows, in steps of five minutes: what is on, what is over, and whether the call is
// open.
func (v *visit) slot() int64 { return v.s.Now().Unix() / (stepMinutes * 60) }
