package call

import (
	"net/http"
	"slices"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/files"
)

// access says who may use a route.
type access string

const (
	anyone  access = "anyone"
	speaker access = "speaker" // has a login; an unconfirmed one opens only what its own contact has
)

// handler answers a request that was admitted.
type handler func(*visit) error

// route is one method of an address.
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

// address is a row of the table of routes: a path, who may use it, and the handlers of GET and POST.
type address struct {
	path      string
	needs     access
	get, post handler
}

// addresses are all routes. Handlers refer to them in turn, so they are set when the program starts.
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
		{proposal + "/edit", speaker, onProposal(proposalForm), onProposal(saveForm)},
		{proposal + "/save", speaker, nil, onProposal(autosave)},
		{proposal + "/check", speaker, onProposal(check), nil},
		{proposal + "/submit", speaker, nil, submit},
		{proposal + "/done", speaker, onProposal(showSubmitted), nil},
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

// isShown tells whether a GET route exists at a path.
func isShown(path string) bool {
	return slices.ContainsFunc(addresses, func(a address) bool {
		return a.get != nil && fiber.RoutePatternMatch(path, a.path, fiber.Config{CaseSensitive: true})
	})
}

// upload is an address whose form takes files.
type upload struct {
	path  string
	limit int    // bytes of the whole form
	takes string // the message for a file that is too large: an id in the catalogue
}

var uploads = []upload{
	{profile, files.MaxPhotoBytes + answersRoom, "entry.photomax"},
	{proposal + "/edit", call.MaxFileBytes + answersRoom, "entry.filemax"},
	{ownPath, call.MaxFileBytes + answersRoom, "entry.filemax"},
	{aTask, models.MaxFileBytes + answersRoom, "entry.filemax"},
}

// answersRoom is how many bytes a form may have besides a file.
const answersRoom = 4 << 20

// mostSent is how large a form with files may be, in bytes, for its fields to be read.
const mostSent = 256 << 20

// uploadAt returns the upload at a path, nil for none.
func uploadAt(path string) *upload {
	for i := range uploads {
		if fiber.RoutePatternMatch(path, uploads[i].path, fiber.Config{CaseSensitive: true}) {
			return &uploads[i]
		}
	}
	return nil
}

// UploadLimit returns how many bytes may be sent to a path that takes a file, 0 for others.
func UploadLimit(path string) int {
	if uploadAt(path) != nil {
		return mostSent
	}
	return 0
}
