package models

import (
	"context"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models/store"
)

// LetterState is the progress of a letter.
type LetterState string

const (
	LetterDraft      LetterState = "draft"
	LetterQueued     LetterState = "queued"  // sent when it is due; held as long as it has no due time
	LetterSending    LetterState = "sending" // one process is sending it, until ClaimedUntil
	LetterSent       LetterState = "sent"    // the mail server took it
	LetterFailed     LetterState = "failed"
	LetterUnknown    LetterState = "unknown"    // nobody knows whether the last attempt arrived
	LetterTold       LetterState = "told"       // the recipient knows by other means
	LetterSuperseded LetterState = "superseded" // another decision came before it was sent
)

// LetterKind is what a letter is about.
type LetterKind string

const (
	LetterAccepted LetterKind = "accepted"
	LetterDeclined LetterKind = "declined"
	LetterUndone   LetterKind = "undone" // takes back the letter of a decision that was a mistake
	LetterFree     LetterKind = "free"   // to a person, as part of a mailing

	// LetterCall is written by the call for papers itself: a confirmation, an invitation, a reminder.
	LetterCall LetterKind = "call"

	// LetterNote is a mail to a member of staff: a reminder, a test.
	LetterNote LetterKind = "note"
	// LetterInvitation invites somebody to the staff. Its link is not stored, so the letter is sent only once, unless
	// the link is made at sending.
	LetterInvitation LetterKind = "invitation"
)

// Letter is a mail to one person: about an abstract's decision, of a mailing, of the call, or to the staff.
type Letter struct {
	ID              string
	EventID         *string // nil for a letter of the organization
	OrganizationID  *string // nil for a letter of an event
	SessionID       *string // the abstract; nil without a decision
	MailingID       *string // of a free letter
	Number          *int    // of the decision
	Kind            LetterKind
	ContactID       string  // "" for a recipient who is no contact; then ToName and ToEmail say who it is
	ToName, ToEmail string  // also set by a letter of the call to an address that its contact does not have
	AboutID         string  // the proposal that a letter of the call is about; "" for none
	AccountID       string  // the account whose link a letter of the call contains
	CarriedBy       *string // the id of the acceptance with which this refusal to the same person is sent; see JoinLetters
	CoSpeakerID     string  // the invited co-speaker whose link a letter of the call contains
	State           LetterState
	IsCurrent       bool // its decision is the abstract's latest
	Subject         string
	Body            string // text without markup; an empty line begins a paragraph
	Missing         string // the placeholders that had no value, separated by commas
	IsEdited        bool   // by hand
	TemplateVersion int
	MessageID       string // without angle brackets; made before the first attempt, "" until then
	SentTo          string // the address of the last attempt
	Attempts        int
	DueAt           *store.Time
	ClaimedUntil    *store.Time
	Answer          string // of the mail server, as a code and our words; never its own, which may name people
	Reason          string // how they were told
	SentAt          *store.Time
	CreatedAt       store.Time
	UpdatedAt       store.Time // the token of edits
}

// LetterRow is a letter with its recipient and what it is about.
type LetterRow struct {
	Letter
	Name, Email       string // the recipient's present ones; "" for somebody who is gone
	FriendlyID, Title string // the abstract's; "" without one
	IsHere            bool   // the contact is at the event
	IsOutdated        bool   // it is a draft of an older template that nobody edited
	HasOther          bool   // the person has a draft of the other decision too
	Carries           bool   // it is an acceptance with which a refusal is sent
	Within            string // the title of the acceptance with which this refusal is sent; mostly ""

	Along []*LetterRow `gorm:"-"` // the refusals that are sent with this acceptance; filled by Letter alone
}

// Shown returns the text for display, with the texts of Along and without the link.
func (l *LetterRow) Shown() string {
	whole := l.Letter
	for _, other := range l.Along {
		whole.Body = inOne(whole.Body, other.Body)
	}
	return whole.Shown()
}

// Decision is one change of an abstract to accepted or declined.
type Decision struct {
	EventID, SessionID string
	Number             int
	Decision           Status
	Previous           Status // "" for an abstract that came in decided
	ByName             string
	CreatedAt          store.Time
}

const (
	// maxSubject and maxLetter are in characters.
	maxSubject, maxLetter = 250, 20_000
	// MaxReason limits the reason for which somebody counts as told, in characters.
	MaxReason = 500
)

var (
	ErrNoLetter    = store.NoSuch("letter")
	ErrLetterStale = store.Outdated("Someone else changed this letter since you read it. Read it again, then repeat your change.")
)

// HeldLetter returns a letter of this event, locked, or NotFound.
func (p *Programme) HeldLetter(tx *store.Tx, id string) (*Letter, error) {
	return store.OneByID[Letter](tx.Lock().Where("event_id = ?", p.event.ID), id, ErrNoLetter)
}

// LetterLockOrder is the order in which letters are locked: an acceptance before the refusals sent with it.
const LetterLockOrder = "letters.kind, letters.id"

// LockLetters selects the ids of letters and locks them in their order, for a change of several.
func LockLetters(tx *store.Tx, where string, values ...any) *gorm.DB {
	return tx.Lock().Model(&Letter{}).Select("letters.id").Where(where, values...).Order(LetterLockOrder)
}

// ChangeLetters sets columns of the letters that meet a condition, locked in their order.
func ChangeLetters(tx *store.Tx, set map[string]any, where string, values ...any) *gorm.DB {
	return tx.Model(&Letter{}).Where("id IN (?)", LockLetters(tx, where, values...)).Updates(set)
}

// CleanLetterOf normalises subject and text and checks their placeholders, which must be those of the kind; "" allows
// those of any kind. A subject is always one line.
func CleanLetterOf(kind LetterKind, subject, body *string) error {
	*subject = store.OneLine(*subject)
	*body = strings.ReplaceAll(*body, "\r\n", "\n")
	var f store.Faults
	f.Clean(store.CleanName, "subject", subject, maxSubject)
	f.Clean(store.CleanName, "body", body, maxLetter)
	f.Add(checkPlaceholders(kind, "subject", *subject))
	f.Add(checkPlaceholders(kind, "body", *body))
	return f.Err()
}

// FreeLetters returns up to 50 letters of mailings and of the call, of some events, to one person, the latest first.
// Letters whose text was discarded are left out.
func (d *Directory) FreeLetters(ctx context.Context, contactID string, eventIDs []string) (letters []*Letter, err error) {
	err = d.Read(ctx).Where("contact_id = ? AND event_id IN ? AND kind IN ('free', 'call') AND body <> ''",
		contactID, eventIDs).Order("created_at DESC, id").Limit(50).Find(&letters).Error
	return letters, err
}

// LetterCarrier is the start of an SQL query, to be followed by an id, for the acceptance that a refusal is sent with,
// while that has not reached its person. If it never will (superseded, told otherwise, abstract deleted), the refusal
// is an ordinary draft again.
const LetterCarrier = `SELECT 1 FROM letters y JOIN sessions z ON z.id = y.session_id AND z.deleted_at IS NULL
	WHERE y.is_current AND y.state IN ('draft', 'queued', 'sending', 'failed', 'unknown') AND y.id = `

// LetterOfDecision is the SQL condition for letters of current decisions on live abstracts.
const LetterOfDecision = `letters.is_current AND EXISTS
	(SELECT 1 FROM sessions s WHERE s.id = letters.session_id AND s.deleted_at IS NULL)`

// along is the condition for the letters in a state that are sent with another.
const along = "letters.carried_by = ? AND letters.state = ?"

// takeAlong adds the texts of the refusals that are sent with a letter and marks these as being sent. The stored text
// of the letter does not change until it was sent.
func (l *OutgoingLetter) takeAlong(tx *store.Tx, host string) error {
	marked := ChangeLetters(tx, map[string]any{"state": LetterSending, "claimed_until": l.ClaimedUntil,
		"sent_to":    l.SentTo,
		"message_id": gorm.Expr("letters.id || '@' || ?", host), "attempts": gorm.Expr("attempts + 1"), "updated_at": tx.Now},
		"letters.carried_by = ? AND letters.state IN ('draft', 'unknown') AND letters.missing = '' AND "+
			LetterOfDecision, l.ID)
	if marked.Error != nil || marked.RowsAffected == 0 {
		return marked.Error
	}
	return l.addTexts(tx, LetterSending)
}

// addTexts appends the texts of the letters in a state that are sent with l.
func (l *Letter) addTexts(tx *store.Tx, state LetterState) error {
	var bodies []string
	err := tx.Model(&Letter{}).Where(along, l.ID, state).Order("letters.created_at, letters.id").
		Pluck("letters.body", &bodies).Error
	for _, body := range bodies {
		l.Body = inOne(l.Body, body)
	}
	return err
}

// endAlong stores the result of the attempt for the letters sent with l; was is their state before it.
func (l *Letter) endAlong(tx *store.Tx, was LetterState) error {
	values := map[string]any{"state": l.State, "claimed_until": nil, "updated_at": tx.Now}
	switch l.State {
	case LetterUnknown:
	case LetterSent:
		if err := l.addTexts(tx, was); err != nil {
			return err
		}
		values["state"], values["reason"], values["sent_at"] = LetterTold, "In one letter with “"+l.Subject+"”", l.SentAt
	default:
		values["state"] = gorm.Expr("CASE WHEN is_current THEN 'draft' ELSE 'superseded' END")
	}
	return ChangeLetters(tx, values, along, l.ID, was).Error
}

// inOne joins two texts; an opening or closing that both share appears once.
func inOne(one, other string) string {
	const empty = "\n\n"
	a, b := strings.Split(one, empty), strings.Split(other, empty)
	if len(b) > 1 && a[0] == b[0] {
		b = b[1:]
	}
	last := len(a) - 1
	if last > 0 && len(b) > 1 && a[last] == b[len(b)-1] {
		return strings.Join(slices.Concat(a[:last], b), empty)
	}
	return strings.Join(slices.Concat(a, b), empty)
}
