package cfp

import (
	"net/http"
	"slices"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
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
	profile  = place + "/profile"
	ownPath  = place + "/answers"
	aTask    = place + "/tasks/:task/:owner"
)

// address is one: where, who may come in, what answers GET, and what answers POST.
type address struct {
	path      string
	needs     access
	get, post handler
}

// addresses are all. Pages lead to each other by them, so they are known once the program runs.
var addresses []address

func init() {
	addresses = []address{
		{place, speaker, showPlace, nil},
		{proposal, speaker, showMine, nil},
		{proposal + "/coming", speaker, nil, answerComing},
		{aSession, speaker, showMine, nil},
		{aSession + "/coming", speaker, nil, answerComing},
		{aSession + "/text", speaker, textForm, saveText},
		{place + "/letters/:id", speaker, showLetter, nil},
		{profile, speaker, profileForm, saveProfile},
		{profile + "/photo", speaker, waitingPhoto, nil},
		{ownPath, speaker, ownForm, saveOwn},
		{ownPath + "/files/:key", speaker, ownFile, nil},
		{place + "/tasks", speaker, showTasks, nil},
		{aTask, speaker, showTask, pressTask},
		{aTask + "/versions/:version", speaker, taskVersion, nil},
		{place + "/availability", speaker, showAvailability, nil},
		{place + "/confirm", speaker, nil, confirmAgain},
		{place + "/password", speaker, nil, setPassword},
		{place + "/leave-others", speaker, nil, leaveOthers},
		{place + "/passkeys", speaker, showPasskeys, beginPasskey},
		{place + "/passkeys/keep", speaker, nil, keepPasskey},
		{place + "/passkeys/:passkey", speaker, removePasskeyForm, removePasskey},
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
		{place + "/sign-in/passkey", anyone, passkeyOptions, enterByPasskey},
		{place + "/link", anyone, nil, askForLink},
		{place + "/link/:token", anyone, linkPage, openLink},
		{place + "/fresh", speaker, nil, askFresh},
		{place + "/fresh/:token", anyone, nil, freshLink},
		{place + "/leave", anyone, nil, leave},
	}
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

// isShown tells of an address that a browser can be led to.
func isShown(path string) bool {
	return slices.ContainsFunc(addresses, func(a address) bool {
		return a.get != nil && fiber.RoutePatternMatch(path, a.path, fiber.Config{CaseSensitive: true})
	})
}

// upload is an address whose form takes files.
type upload struct {
	path  string
	limit int    // bytes of the whole form
	takes string // what one may be, for who sends more: an id of the catalogue
}

var uploads = []upload{
	{profile, files.MaxPhotoBytes + answersRoom, "entry.photomax"},
	{proposal + "/edit", cfp.MaxFileBytes + answersRoom, "entry.filemax"},
	{ownPath, cfp.MaxFileBytes + answersRoom, "entry.filemax"},
	{aTask, models.MaxFileBytes + answersRoom, "entry.filemax"},
}

// answersRoom is what a form has beside a file.
const answersRoom = 4 << 20

// mostSent is how large a form with files may be that is read for its fields.
const mostSent = 256 << 20

// uploadAt is the upload at an address, nil without.
func uploadAt(path string) *upload {
	for i := range uploads {
		if fiber.RoutePatternMatch(path, uploads[i].path, fiber.Config{CaseSensitive: true}) {
			return &uploads[i]
		}
	}
	return nil
}

// UploadLimit is how many bytes may be sent to an address that takes a file, 0 at others.
func UploadLimit(path string) int {
	if uploadAt(path) != nil {
		return mostSent
	}
	return 0
}
