package call

import (
	"context"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/signin"
	"lectern/models/store"
)

// maxBegun and maxBegunWith limit the drafts that begin within a quarter of an hour from one network address and with
// one e-mail address; maxDrafts limits the drafts of one person at an event. The first is high, because a whole
// university may be behind one address in the last hour before the end; each beginning costs one password hash, and few
// of these run at once.
const maxBegun, maxBegunWith, maxDrafts = 300, 5, 20

// Beginning is what somebody types to start a proposal.
type Beginning struct {
	Name, Email string
	Password    string // "" for none
	Title       string
	Code        string // "" for none
	Stamp       string // of the submitted form, which counts once; "" without one
	Browser     Browser
	hash        string
	isPrepared  bool
}

// Begun is a draft that somebody has started, with their ways back to it.
type Begun struct {
	Session *models.Session
	Account *Account
	Token   string // of the browser's new login
	Link    string // the token of a link that proves the address, to be mailed; "" if its mail waits
}

func (b *Beginning) clean() error {
	var f store.Faults
	f.Clean(store.CleanName, "title", &b.Title, store.MaxTitle)
	f.Clean(store.CleanName, "name", &b.Name, store.MaxName)
	b.Title, b.Name = store.OneLine(b.Title), store.OneLine(b.Name)
	email, err := store.CleanEmail(b.Email)
	if err == nil && email == "" {
		err = store.Invalidf("email", "is needed: the way back to your draft goes there")
	}
	f.Add(err)
	b.Email = email
	if b.Password != "" {
		f.Add(signin.PasswordFault(b.Password, b.Email, b.Name))
	}
	return f.Err()
}

// Prepare does the part of a beginning that is slow or is not rolled back with it: it hashes the password and counts
// the attempt. It answers Invalid, by title, name, email or password, and TooMany beyond the limits of one network
// address or e-mail address.
func (b *Beginning) Prepare(ctx context.Context, s *models.Store, event *models.Event) (err error) {
	if b.isPrepared {
		return nil
	}
	if err := b.clean(); err != nil {
		return err
	}
	counts := append(signin.OfAddress("call-begins", b.Browser.Address, maxBegun),
		signin.By("call-begins-with", event.OrganizationID+" "+store.Mailbox(b.Email), maxBegunWith))
	if err := s.Write(ctx, func(tx *store.Tx) error { return signin.Attempt(tx, counts...) }); err != nil {
		return err
	}
	b.hash, err = HashPassword(ctx, s, b.Password, b.Email, b.Name)
	b.isPrepared = err == nil
	return err
}

// Begin starts a proposal of somebody who is not signed in: it creates a contact without an address, an account with
// the typed address, a login, and a draft with the contact as its speaker. The answer does not tell whether the address
// is known. The link is "" if its mail waits, or the mailbox's limit is reached. It answers as Prepare does; Invalid,
// by code; a refusal (IsRefused) if the call takes nothing now or the form was used before; and NotFound if the event
// has no call. It emits session.created.
func Begin(ctx context.Context, s *models.Store, event *models.Event, b Beginning, by store.By) (*Begun, error) {
	if err := b.Prepare(ctx, s, event); err != nil {
		return nil, err
	}
	form, err := FormOf(ctx, s, event)
	if err != nil {
		return nil, err
	}
	code, err := mayBegin(ctx, s, event, form, b.Code, nil)
	if err != nil {
		return nil, err
	}
	first, last := models.SplitName(b.Name)
	by.ActorName = b.Name
	return store.Make(ctx, s.Write, func(tx *store.Tx) (*Begun, error) {
		if err := useStamp(tx, b.Stamp); err != nil {
			return nil, err
		}
		due, err := mailDue(tx, event.OrganizationID, b.Email) // locked before the counters that number the draft
		isFull := store.KindOf(err) == store.TooMany           // they begin all the same, in this browser
		if err != nil && !isFull {
			return nil, err
		}
		draft, err := begin(ctx, tx, s.Programme(event, by), code, b.Title,
			models.Participation{New: &models.NewContact{FirstName: first, LastName: last}})
		if err != nil {
			return nil, err
		}
		contact := &models.Contact{ID: draft.Participants[0].ContactID, OrganizationID: event.OrganizationID,
			FullName: b.Name}
		account, err := NewAccount(tx, contact, b.Email, b.hash)
		if err != nil {
			return nil, err
		}
		begun := &Begun{Session: draft, Account: account}
		if begun.Token, _, err = makeLogin(tx, account, b.Browser, &tx.Now, nil); err != nil {
			return nil, err
		}
		if !isFull {
			begun.Link, err = wayBack(tx, s.Programme(event, by), account, due)
		}
		return begun, err
	})
}

// Begin starts another proposal of the place's owner. It answers Invalid, by title or code; a refusal (IsRefused) if
// the call takes nothing now or they have too many drafts; and NotFound. It emits session.created.
func (pl *Place) Begin(ctx context.Context, event *models.Event, title, code string) (*models.Session, error) {
	title, err := store.CleanName("title", title, store.MaxTitle)
	if err != nil {
		return nil, err
	}
	form, err := FormOf(ctx, pl.store, event)
	if err != nil {
		return nil, err
	}
	extended, err := pl.Extended(ctx, event)
	if err != nil {
		return nil, err
	}
	good, err := mayBegin(ctx, pl.store, event, form, code, extended)
	if err != nil {
		return nil, err
	}
	return store.Make(ctx, pl.store.Write, func(tx *store.Tx) (*models.Session, error) {
		if err := pl.holdMyself(tx); err != nil {
			return nil, err
		}
		var drafts int64
		if err := tx.Table("proposals p").Joins("JOIN sessions s ON s.id = p.session_id").
			Where("p.event_id = ? AND p.contact_id = ? AND s.status = ? AND s.deleted_at IS NULL", event.ID, pl.contactID,
				models.Draft).
			Count(&drafts).Error; err != nil {
			return nil, err
		}
		if drafts >= maxDrafts {
			return nil, refused("You have " + counted(int(drafts), "draft") + " here. Go on with one of those.")
		}
		if err := pl.At(event).Welcome(tx, pl.contactID); err != nil {
			return nil, err
		}
		return begin(ctx, tx, pl.At(event), good, store.OneLine(title), models.Participation{ContactID: pl.contactID})
	})
}

// Extended returns the end of the extension of the place's owner, nil if they have none.
func (pl *Place) Extended(ctx context.Context, event *models.Event) (*store.Time, error) {
	var rows []*extension
	err := pl.read(ctx).Where("event_id = ? AND contact_id = ?", event.ID, pl.contactID).Find(&rows).Error
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0].Until, nil
}

// begin creates a draft with people, the first of whom is its author, within the given transaction.
func begin(ctx context.Context, tx *store.Tx, p *models.Programme, code *Code, title string,
	people ...models.Participation) (*models.Session, error) {
	s, err := p.CreateSession(tx.Within(ctx), models.NewSession{Title: title, IsAbstract: true,
		SessionInput: models.SessionInput{Status: new(models.Draft)}, People: people})
	if err != nil {
		return nil, err
	}
	row := map[string]any{"session_id": s.ID, "event_id": s.EventID, "contact_id": s.Participants[0].ContactID,
		"created_at": tx.Now}
	if code != nil {
		row["code_id"] = code.ID
	}
	return s, tx.Model(&proposal{}).Create(row).Error
}

// mayBegin refuses a proposal that cannot begin now. It returns the code that lets it in, nil if none was given.
func mayBegin(ctx context.Context, s *models.Store, event *models.Event, form *Form, given string,
	extended *store.Time) (*Code, error) {
	w, err := WindowOf(ctx, s, event, form)
	if err != nil {
		return nil, err
	}
	var code *Code
	if given = strings.TrimSpace(given); given != "" {
		if code, err = codeOf(ctx, s, event, given); err != nil {
			return nil, err
		}
		w.Invited = true
	}
	w.Until = extended
	if w.Phase(s.Now()) == IsFull {
		return nil, refused("The call is full: all places are taken.")
	}
	if why := w.why(s.Now(), true, event); why != "" {
		return nil, refused(why)
	}
	return code, nil
}

// codeOf returns a valid code of an event's call, in any case. It answers Invalid, by code, for any other, and for one
// without uses left.
func codeOf(ctx context.Context, s *models.Store, event *models.Event, given string) (*Code, error) {
	code, err := store.One[Code](s.Read(ctx).Where("event_id = ? AND upper(code) = ?", event.ID,
		strings.ToUpper(strings.TrimSpace(given))).
		Where("expires_at IS NULL OR expires_at > ?", s.Now()), errNoCode)
	if err != nil || code.MaxUses == nil {
		return code, err
	}
	used, err := countOf(s.Read(ctx), event.ID, "p.code_id = ?", code.ID)
	if err == nil && used >= int64(*code.MaxUses) {
		err = errNoCode
	}
	return code, err
}

// maxTried is how many access codes one network address may try within a quarter of an hour.
const maxTried = 20

// TryCode answers as codeOf does, and TooMany for too many tries from one network address.
func TryCode(ctx context.Context, s *models.Store, event *models.Event, given, address string) error {
	counts := signin.OfAddress("call-codes", address, maxTried)
	if err := s.Write(ctx, func(tx *store.Tx) error { return signin.Attempt(tx, counts...) }); err != nil {
		return err
	}
	_, err := codeOf(ctx, s, event, given)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx *store.Tx) error { return signin.GiveBack(tx, counts) })
}

// Came returns the number of submissions to an event's call that were not withdrawn.
func Came(ctx context.Context, s *models.Store, event *models.Event) (int64, error) {
	return countOf(s.Read(ctx), event.ID, "")
}

// StampLifetime is how long a form that begins a proposal is valid.
const StampLifetime = 24 * time.Hour

// ErrStampUsed answers a form that is sent again after it began a proposal.
var ErrStampUsed error = refused("This form began a proposal already. Send it once more to begin another one.")

// usedStamp records that a form began a proposal.
type usedStamp struct {
	Stamp  string `gorm:"primaryKey"`
	UsedAt store.Time
}

// useStamp records that a form was used, "" for no form. It answers ErrStampUsed if it was used before.
func useStamp(tx *store.Tx, stamp string) error {
	if stamp == "" {
		return nil
	}
	return store.Changed(tx.Exec("INSERT INTO used_stamps (stamp, used_at) VALUES (?, ?) ON CONFLICT DO NOTHING", stamp, tx.Now),
		ErrStampUsed)
}
