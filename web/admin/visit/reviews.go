package visit

import (
	"net/url"

	"lectern/models/call"
	"lectern/models/reviews"
	"lectern/models/store"
	"lectern/web/page"
)

// Rounds returns the event's review rounds.
func (v *Visit) Rounds() *reviews.Rounds { return reviews.Of(v.Programme) }

// SendAnswer sends a file that answers a question of a submission, unless sight hides that answer.
func (v *Visit) SendAnswer(sessionID string, sight *reviews.Sight) error {
	key, err := url.PathUnescape(v.Params("key"))
	if err != nil || sight.Hides(key) {
		return store.Missing("There is no such file.")
	}
	f, err := call.Of(v.Programme).AnswerFile(v.UserContext(), sessionID, key)
	if err != nil {
		return err
	}
	sent := *f
	sent.Name = sight.FileName(key, f.Name)
	return page.SendFile(v.UserContext(), v.Ctx, v.Store, &sent, "attachment")
}
