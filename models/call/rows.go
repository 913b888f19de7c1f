package call

import (
	"lectern/models"
	"lectern/models/signin"
	"lectern/models/store"
)

// proposal is the call's row of a submission.
type proposal struct {
	SessionID       string `gorm:"primaryKey"`
	EventID         string
	ContactID       string // the author
	CodeID          *string
	SubmittedAt     *store.Time
	LockedAt        *store.Time
	OpenUntil       *store.Time // an extension for this proposal
	WithdrawnFrom   models.Status
	WithdrawnReason string
	WithdrawnAt     *store.Time
	NoticedDays     *int // of the last reminder before the end: 5 or 1
	CreatedAt       store.Time
}

func (proposal) TableName() string { return "proposals" }

// proposalFile is a file that answers a question; the stored answer is its name.
type proposalFile struct {
	SessionID string `gorm:"primaryKey"`
	EventID   string
	Key       string `gorm:"primaryKey"`
	FileID    string
}

func (proposalFile) TableName() string { return "proposal_files" }

// extension says until when one person may still write.
type extension struct {
	EventID   string `gorm:"primaryKey"`
	ContactID string `gorm:"primaryKey"`
	Until     store.Time
	ByName    string
	CreatedAt store.Time
}

func (extension) TableName() string { return "call_extensions" }

// CoSpeaker is an invitation to speak on a proposal.
type CoSpeaker struct {
	ID, EventID, SessionID string
	InvitedBy              string // a contact
	Email, EmailKey, Name  string
	Role                   models.Role
	State                  string // invited, joined or declined
	ContactID              string // set once they have joined
	CreatedAt              store.Time
	AnsweredAt             *store.Time
}

// TableName returns the name of the table of invitations.
func (CoSpeaker) TableName() string { return "co_speakers" }

// Participation is somebody's answer whether they come and speak.
type Participation struct {
	SessionID  string `gorm:"primaryKey"`
	EventID    string
	ContactID  string `gorm:"primaryKey"`
	Answer     string // yes or no
	Reason     string
	AnsweredAt store.Time
}

// TableName returns the name of the table of these answers.
func (Participation) TableName() string { return "participations" }

// Account is the means by which somebody enters their place. Until it is confirmed its address is what somebody typed,
// and its contact has no address.
type Account struct {
	ID, OrganizationID string
	ContactID          string
	Email, EmailKey    string
	PasswordHash       string      // "" without one
	ConfirmedAt        *store.Time // when a link that was mailed to the address was first opened
	CreatedAt          store.Time
	UpdatedAt          store.Time
	Language           string // in which they last read their place; "" if they never did
	Name               string `gorm:"-"` // of the contact
}

// TableName returns the name of the table of speakers' accounts.
func (Account) TableName() string { return "speaker_accounts" }

// Login is the sign-in of a browser to an account.
type Login struct {
	signin.Login
	AccountID string
	EventID   *string     // the one event at which it opens the place; nil for all
	ProvedAt  *store.Time // when it opened a freshly mailed link
	Account   *Account    `gorm:"-"`
}

// TableName returns the name of the table of speakers' logins.
func (Login) TableName() string { return "speaker_logins" }

// link is a link to a place or an invitation, mailed or copied by staff.
type link struct {
	ID, Hash, OrganizationID string
	EventID                  *string
	AccountID                *string
	ContactID                string
	CoSpeakerID              *string
	EmailKey                 string // the address that it was mailed to; "" for a copied link
	ByName                   string
	Browser                  string      // hash of the name of the browser that opened it first
	OpenUntil                *store.Time // until when other browsers may open it; nil before the first opening
	CreatedAt                store.Time
	ExpiresAt                store.Time
}

func (link) TableName() string { return "speaker_links" }

// Rows maps each table to the struct by which gorm reads and writes it.
var Rows = map[string]any{
	"calls": &Settings{}, "call_parts": &Part{}, "call_questions": &Question{}, "call_codes": &Code{},
	"proposals": &proposal{}, "proposal_files": &proposalFile{}, "call_extensions": &extension{}, "co_speakers": &CoSpeaker{},
	"participations": &Participation{}, "speaker_accounts": &Account{}, "speaker_logins": &Login{}, "speaker_links": &link{}, "speaker_passkeys": &Passkey{},
	"used_stamps": &usedStamp{}, "revisions": &Revision{},
}
