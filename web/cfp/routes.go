package cfp

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"lectern/models/cfp"
	"lectern/models/files"
)

// access is who may come in by a route.
type access string

const (
	anyone  access = "anyone"
	speaker access = "speaker" // who has a login: unconfirmed ones too, which open only what their own contact has
)

// handler answers a request of who was let in.
type handler func(*visit) error

// route is an address by one method.
type route struct {
	method, path string
	needs        access
	handle       handler
}

const (
	event    = "/events/:event"
	aCall    = event + "/call"
	place    = event + "/place"
	proposal = place + "/proposals/:id"
	aSession = place + "/sessions/:id"
	photo    = place + "/photo"
)

// addresses are all: where, who may come in, what answers GET, and what answers POST.
var addresses = []struct {
	path      string
	needs     access
	get, post handler
}{
	{place, speaker, showPlace, nil},
	{proposal, speaker, showMine, nil},
	{proposal + "/coming", speaker, nil, answerComing},
	{aSession, speaker, showMine, nil},
	{aSession + "/coming", speaker, nil, answerComing},
	{place + "/letters/:id", speaker, showLetter, nil},
	{place + "/profile", speaker, profileForm, saveProfile},
	{place + "/availability", speaker, showAvailability, nil},
	{place + "/confirm", speaker, nil, confirmAgain},
	{place + "/password", speaker, nil, setPassword},
	{place + "/leave-others", speaker, nil, leaveOthers},
	{photo, speaker, nil, changePhoto},
	{place + "/join/:token", anyone, joinPage, join},
	{aCall, anyone, landing, nil},
	{aCall + "/dates.ics", anyone, dates, nil},
	{aCall + "/start", anyone, startForm, start},
	{proposal + "/edit", speaker, proposalForm, saveForm},
	{proposal + "/save", speaker, nil, autosave},
	{proposal + "/check", speaker, check, nil},
	{proposal + "/submit", speaker, nil, submit},
	{proposal + "/done", speaker, done, nil},
	{proposal + "/withdraw", speaker, withdrawForm, withdraw},
	{proposal + "/undo", speaker, nil, undoWithdrawal},
	{proposal + "/files/:key", speaker, file, nil},
	{place + "/zone", anyone, nil, keepZone},
	{place + "/sign-in", anyone, signInForm, signIn},
	{place + "/link", anyone, nil, askForLink},
	{place + "/link/:token", anyone, linkPage, openLink},
	{place + "/leave", anyone, nil, leave},
}

func routes() (all []route) {
	for _, a := range addresses {
		if a.get != nil {
			all = append(all, route{http.MethodGet, a.path, a.needs, a.get})
		}
		if a.post != nil {
			all = append(all, route{http.MethodPost, a.path, a.needs, a.post})
		}
	}
	return all
}

// formRoom is what a form has beside its file.
const formRoom = 64 << 10

// uploads are the addresses whose forms take a file, and how large the form may be.
var uploads = map[string]int{
	photo:              files.MaxPhotoBytes + formRoom,
	proposal + "/edit": cfp.MaxFileBytes + answersRoom,
}

// answersRoom is what the form of a proposal has beside a file.
const answersRoom = 4 << 20

// UploadLimit is how many bytes a form may have at an address that takes a file, 0 at others.
func UploadLimit(path string) int {
	for pattern, limit := range uploads {
		if fiber.RoutePatternMatch(path, pattern, fiber.Config{CaseSensitive: true}) {
			return limit
		}
	}
	return 0
}
