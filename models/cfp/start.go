package cfp

import (
	"context"
	"strings"

	"lectern/models"
	"lectern/models/signin"
	"lectern/models/store"
)

// How many drafts begin within a quarter of an hour from one network address, and with one e-mail address, and how many
// one person has at an event that were not submitted. All of a university may be behind one address, in the last hour
// before the end: what each costs is one password that is hashed, of which few are at once.
const maxBegun, maxBegunWith, maxDrafts = 300, 5, 20

// Beginning is what somebody types to start a proposal.
type Beginning struct {
	Name, Email string
	Password    string // "" for none
	Title       string
	Code        string // "" for none
	Stamp       string // of the form that was sent, which counts once; "" without one
	Browser     Browser
	hash        string
	isPrepared  bool
}

// Begun is a draft that somebody has started, and how they come back to it.
type Begun struct {
	Session *models.Session
	Account *Account
	Token   string // of the login of the browser at hand
	Link    string // the token of a link that proves the address, for a mail to it; "" of one that waits
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

// Prepare does what takes long of a beginning, or is not taken back with it: it counts the attempt and hashes the
// password. It answers Invalid, by title, name, email or password, and TooMany for too many from one network address or
// with one e-mail address.
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

// Begin starts a proposal of somebody who is not signed in: a new contact without an address, an account with the one
// that was typed, a login, and a draft with them as its speaker. Whose the address is nobody learns from it. The link is
// "" where its mail waits, or none may leave to that mailbox. It answers as Prepare does, Invalid, by code, a refusal
// (IsRefused) when the call takes nothing now or the form was used before, and NotFound where the event has no call. It
// emits session.created.
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
		due, err := mailDue(tx, event.OrganizationID, b.Email) // before the draft takes its number
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

// Begin starts another proposal of whose place it is. It answers Invalid, by title or code, a refusal (IsRefused) when
// the call takes nothing now or they have too many drafts, and NotFound, and emits session.created.
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
		if err := pl.in(event).Welcome(tx, pl.contactID); err != nil {
			return nil, err
		}
		return begin(ctx, tx, pl.in(event), good, store.OneLine(title), models.Participation{ContactID: pl.contactID})
	})
}

// Extended is until when whose place it is may write, whatever the window says; nil for no longer than all.
func (pl *Place) Extended(ctx context.Context, event *models.Event) (*store.Time, error) {
	var rows []*extension
	err := pl.read(ctx).Where("event_id = ? AND contact_id = ?", event.ID, pl.contactID).Find(&rows).Error
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0].Until, nil
}

// begin makes a draft of people, in the transaction at hand: the first of them is whose proposal it is.
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

// mayBegin refuses who cannot start a proposal now. It returns the code that lets them in, nil where none was given.
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

// codeOf is a code of an event's call that is good now, however its letters are written. It answers Invalid, by code,
// for any other, and for one that was used as often as it may be.
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

// maxTried is how many access codes one network address tries within a quarter of an hour.
const maxTried = 20

// TryCode answers as codeOf does, and TooMany to who tries too many from one network address.
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

// Came is how many submissions came in to an event's call that were not withdrawn.
func Came(ctx context.Context, s *models.Store, event *models.Event) (int64, error) {
	return countOf(s.Read(ctx), event.ID, "")
}
