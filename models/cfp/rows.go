package cfp

import (
	"lectern/models"
	"lectern/models/signin"
	"lectern/models/store"
)

// proposal is what the call knows of a submission beside the submission itself.
type proposal struct {
	SessionID       string `gorm:"primaryKey"`
	EventID         string
	ContactID       string // who began it
	CodeID          *string
	SubmittedAt     *store.Time
	LockedAt        *store.Time
	OpenUntil       *store.Time // for this one, whatever the window says
	WithdrawnFrom   models.Status
	WithdrawnReason string
	WithdrawnAt     *store.Time
	NoticedDays     *int // of the last notice before the end: 5, 1
	CreatedAt       store.Time
}

func (proposal) TableName() string { return "proposals" }

// proposalFile is a file that answers a question; the answer is its name.
type proposalFile struct {
	SessionID string `gorm:"primaryKey"`
	EventID   string
	Key       string `gorm:"primaryKey"`
	FileID    string
}

func (proposalFile) TableName() string { return "proposal_files" }

// extension is until when somebody may still write.
type extension struct {
	EventID   string `gorm:"primaryKey"`
	ContactID string `gorm:"primaryKey"`
	Until     store.Time
	ByName    string
	CreatedAt store.Time
}

func (extension) TableName() string { return "call_extensions" }

// CoSpeaker is somebody who was asked to speak along.
type CoSpeaker struct {
	ID, EventID, SessionID string
	InvitedBy              string // a contact
	Email, EmailKey, Name  string
	Role                   models.Role
	State                  string // invited, joined or declined
	ContactID              string // once they have joined
	CreatedAt              store.Time
	AnsweredAt             *store.Time
}

// TableName is where they are kept.
func (CoSpeaker) TableName() string { return "co_speakers" }

// Participation is whether somebody comes and speaks, as they say.
type Participation struct {
	SessionID  string `gorm:"primaryKey"`
	EventID    string
	ContactID  string `gorm:"primaryKey"`
	Answer     string // yes or no
	Reason     string
	AnsweredAt store.Time
}

// TableName is where they are kept.
func (Participation) TableName() string { return "participations" }

// Account is how somebody comes to their place. Until it is confirmed its address is what somebody typed, and its
// contact has none.
type Account struct {
	ID, OrganizationID string
	ContactID          string
	Email, EmailKey    string
	PasswordHash       string      // "" without one
	ConfirmedAt        *store.Time // when a link that was mailed to the address was first opened
	CreatedAt          store.Time
	UpdatedAt          store.Time
	Language           string // in which they read their place last, "" where they never did
	Name               string `gorm:"-"` // of the contact
}

// TableName is where accounts are kept.
func (Account) TableName() string { return "speaker_accounts" }

// Login is a browser's, of an account.
type Login struct {
	signin.Login
	AccountID string
	EventID   *string     // the one event that it opens the place at, nil for all
	ProvedAt  *store.Time // when it opened a link that had just been mailed to the address
	Account   *Account    `gorm:"-"`
}

// TableName is where logins are kept.
func (Login) TableName() string { return "speaker_logins" }

// link is one of a mail, or that staff copied.
type link struct {
	ID, Hash, OrganizationID string
	EventID                  *string
	AccountID                *string
	ContactID                string
	CoSpeakerID              *string
	EmailKey                 string // the address that it was mailed to, "" of one that staff copied
	ByName                   string
	Browser                  string      // the hash of the name of the one that opened it first
	OpenUntil                *store.Time // until when others open it too; nil before the first
	CreatedAt                store.Time
	ExpiresAt                store.Time
}

func (link) TableName() string { return "speaker_links" }

// Rows are the structs of this package's tables.
var Rows = map[string]any{
	"calls": &Settings{}, "call_parts": &Part{}, "call_questions": &Question{}, "call_codes": &Code{},
	"proposals": &proposal{}, "proposal_files": &proposalFile{}, "call_extensions": &extension{}, "co_speakers": &CoSpeaker{},
	"participations": &Participation{}, "speaker_accounts": &Account{}, "speaker_logins": &Login{}, "speaker_links": &link{}, "speaker_passkeys": &Passkey{},
	"used_stamps": &usedStamp{}, "revisions": &Revision{},
}
