package moves

import (
	"bytes"
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Asked is a request to move a conference here.
type Asked struct {
	Kind          string
	Address       string
	EventThere    string
	Token         string
	As            string // distinguishes tables of one event; "" is the usual one
	AsSubmissions bool
	File          *models.Upload // in place of an address; may be nil
	Packed        *Packed        // for an archive, in place of both
	Name, Slug    string         // for the event of an archive; "" keeps the archive's
}

const (
	maxAddress = 2000
	maxToken   = 500
)

// Begin asks for a move, which begins with a preview or, for a table, with the choice of columns. It answers Invalid
// for the fields address, file, token, event_there and as; for an archive, for file, name and slug.
func (e *AtEvent) Begin(ctx context.Context, a Asked) (*Move, error) {
	m, err := e.Prepare(ctx, a)
	if err != nil {
		return nil, err
	}
	return m, e.Add(ctx, m)
}

// Prepare is Begin without the row, which Add inserts: it checks and stores an uploaded file, which may take minutes.
func (e *AtEvent) Prepare(ctx context.Context, a Asked) (m *Move, err error) {
	kind := KindOf(a.Kind)
	if kind == nil {
		return nil, store.Invalidf("kind", "must be one of those on the page")
	}
	for _, text := range []*string{&a.Address, &a.EventThere, &a.Token, &a.Name, &a.Slug} {
		*text = strings.TrimSpace(*text)
	}
	if err := a.check(kind); err != nil {
		return nil, err
	}
	m = &Move{ID: store.NewID(), OrganizationID: e.p.Event().OrganizationID, EventID: e.p.Event().ID, Kind: kind.Name,
		Address: a.Address, EventThere: a.EventThere, State: Looking, UserID: e.p.By().ActorID, UserName: e.p.By().ActorName,
		ActorID: e.p.By().ActorID, ActorName: e.p.By().ActorName, Choices: Choices{AsSubmissions: a.AsSubmissions}}
	switch {
	case kind.IsEvent:
		err = e.takeArchive(ctx, m, a)
	case a.File != nil:
		m.Address = ""
		err = e.takeFile(ctx, m, kind, a)
	}
	if err != nil {
		return nil, err
	}
	if a.Token != "" {
		if m.SealedToken, err = e.p.Store().Seal(a.Token, m.ID); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Add queues a prepared move.
func (e *AtEvent) Add(ctx context.Context, m *Move) error {
	return e.p.Write(ctx, func(tx *store.Tx) error {
		m.CreatedAt, m.UpdatedAt = tx.Now, tx.Now
		return tx.Create(m).Error
	})
}

// check applies the rules of the form.
func (a *Asked) check(kind *Kind) error {
	var f store.Faults
	fault := func(field, message string) { f = append(f, store.FieldError{Field: field, Message: message}) }
	switch {
	case kind.IsEvent:
		if a.Packed == nil || a.Packed.Size == 0 {
			fault("file", "is missing; choose a file")
		}
	case a.File != nil:
		a.checkFile(kind, fault)
	default:
		a.checkAddress(kind, fault)
	}
	switch {
	case kind.HasToken && a.Token == "":
		fault("token", "is needed; pretalx makes one under “API Access” of your account")
	case len(a.Token) > maxToken || strings.ContainsAny(a.Token, "\r\n\x00"):
		fault("token", "is none")
	}
	if len(a.EventThere) > store.MaxName || strings.ContainsAny(a.EventThere, "/?# ") {
		fault("event_there", "must be the short name of the event there, such as harbour2027")
	}
	return f.Err()
}

func (a *Asked) checkFile(kind *Kind, fault func(field, message string)) {
	switch {
	case kind.Files == "":
		fault("file", "is not how "+kind.Label+" comes; give its address")
	case len(a.File.Content) == 0:
		fault("file", "is empty")
	}
}

func (a *Asked) checkAddress(kind *Kind, fault func(field, message string)) {
	switch {
	case kind.Address == "":
		fault("file", "is missing; choose a file")
	case a.Address == "" && kind.Files != "":
		fault("address", "is missing; give one, or choose a file")
	case a.Address == "":
		fault("address", "is missing")
	case len(a.Address) > maxAddress:
		fault("address", "is too long")
	case isSecret(a.Address):
		fault("address", "must have no name and password in it")
	}
}

// isSecret reports whether an address contains credentials.
func isSecret(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.User != nil
}

// takeFile stores the file of a move for a day. A Sessionize file that is a table becomes a move of a sheet.
func (e *AtEvent) takeFile(ctx context.Context, m *Move, kind *Kind, a Asked) error {
	if kind.IsTable || kind.Name == "sessionize" && isTable(a.File.Content) {
		m.State = Choosing
		if err := e.readTable(ctx, m, kind, a); err != nil {
			return err
		}
	}
	kept, err := e.p.Store().StoreBytes(ctx, e.p.By(), a.File.Name, bytes.NewReader(a.File.Content))
	if err != nil {
		return err
	}
	m.FileName, m.FileKey = kept.Name, kept.Key
	return nil
}

// hold returns a move with its row locked.
func (e *AtEvent) hold(tx *store.Tx, id string) (*Move, error) {
	return store.OneByID[Move](tx.Lock().Where("event_id = ?", e.p.Event().ID), id, errNoMove)
}

// change locks a move, changes it, and makes the present actor its actor.
func (e *AtEvent) change(ctx context.Context, id string, to func(*store.Tx, *Move) error) (*Move, error) {
	return store.Make(ctx, e.p.Write, func(tx *store.Tx) (*Move, error) {
		m, err := e.hold(tx, id)
		if err != nil {
			return nil, err
		}
		if err := to(tx, m); err != nil {
			return nil, err
		}
		m.ActorID, m.ActorName = e.p.By().ActorID, e.p.By().ActorName
		m.UpdatedAt = tx.Now.Following(m.UpdatedAt)
		return m, tx.Save(m).Error
	})
}

var errElsewhere = store.Outdated("This move is further on by now. Look where it is.")

// again queues a move for a new state. A stopped worker that is still running keeps its claim until it lets go.
func (m *Move) again(state State) {
	m.State, m.StoppedIn, m.Reason, m.EndedAt = state, "", "", nil
}

// Look reads a conference again, for instance after a stop. It answers NotFound, Stale for a move that is further on,
// and Invalid where its token or its file is no longer stored.
func (e *AtEvent) Look(ctx context.Context, id string) (*Move, error) {
	return e.change(ctx, id, func(_ *store.Tx, m *Move) error {
		if m.State != Looked && !(m.State == Stopped && m.StoppedIn == Looking) {
			return errElsewhere
		}
		m.again(Looking)
		return e.hasAll(m)
	})
}

// Bring brings what was looked at, or resumes what was stopped. It answers NotFound, Stale for a move that is further
// on, and Invalid while another move of the event is writing, and where its token or its file is no longer stored.
func (e *AtEvent) Bring(ctx context.Context, id string) (*Move, error) {
	return e.change(ctx, id, func(tx *store.Tx, m *Move) error {
		if !m.CanBring() {
			return errElsewhere
		}
		m.again(Bringing)
		if err := e.hasAll(m); err != nil {
			return err
		}
		return e.alone(tx, m)
	})
}

// alone answers Invalid while another move of the event writes, even if that was stopped a moment ago. It locks the
// event, so that of two moves that begin at once only one does.
func (e *AtEvent) alone(tx *store.Tx, m *Move) error {
	if err := tx.Lock().Where("id = ?", m.EventID).Take(&models.Event{}).Error; err != nil {
		return err
	}
	other, err := store.One[Move](tx.Where("event_id = ? AND id <> ?", m.EventID, m.ID).
		Where("state IN ? OR stopped_in IN ? AND claimed_until > ?", writing, writing, tx.Now).Order("created_at"), nil)
	if other == nil {
		return err
	}
	return &store.Error{Kind: store.Invalid, Message: "Another move is at work at this event, which " + other.ActorName +
		" asked for. Wait for its end, or stop it."}
}

// hasAll answers Invalid where the move needs a token or file that is no longer stored.
func (e *AtEvent) hasAll(m *Move) error {
	gone := ""
	switch kind := KindOf(m.Kind); {
	case kind == nil:
		gone = "This Lectern does not know where that is from."
	case kind.HasToken && m.SealedToken == "":
		gone = "The token is kept for a day, and no longer. Begin again, and give it once more."
	case m.FileName != "" && e.p.Now().Sub(m.CreatedAt.Time) > models.LeftoverAge-time.Hour:
		return errFileGone
	}
	if gone != "" {
		return &store.Error{Kind: store.Invalid, Message: gone}
	}
	return nil
}

// Stop ends the work on a move. What came stays, and the move can be resumed. It answers NotFound, and Stale for a move
// that is not at work.
func (e *AtEvent) Stop(ctx context.Context, id string) (*Move, error) {
	if before, err := e.Move(ctx, id); err == nil && before.State == Bringing {
		store.RunsOf(e.p.Store().Store).Cancel(id) // an archive's one transaction blocks others on SQLite
	}
	return e.change(ctx, id, func(tx *store.Tx, m *Move) error {
		if !m.IsAtWork() {
			return errElsewhere
		}
		m.StoppedIn, m.State, m.EndedAt = m.State, Stopped, &tx.Now
		m.Claims++ // a running worker no longer matches, and loses its lease
		m.Reason = "Stopped by " + e.p.By().ActorName + "."
		return nil
	})
}

// Forget deletes a move that brought nothing. It answers NotFound, and Stale for one that brought something or is at
// work.
func (e *AtEvent) Forget(ctx context.Context, id string) error {
	return e.p.Write(ctx, func(tx *store.Tx) error {
		m, err := e.hold(tx, id)
		if err != nil {
			return err
		}
		broughtNothing := slices.Contains([]State{Choosing, Looked}, m.State) || m.State == Stopped && m.StoppedIn == Looking
		if !broughtNothing {
			return errElsewhere
		}
		return tx.Delete(m).Error
	})
}

// ForgetSecrets clears the tokens of moves that were idle for a day.
func ForgetSecrets(ctx context.Context, s *models.Store) error {
	old := func(db *gorm.DB) *gorm.DB {
		return db.Model(&Move{}).Where("sealed_token <> '' AND state NOT IN ? AND updated_at < ?", atWork,
			store.At(s.Now().Add(-models.LeftoverAge)))
	}
	var found int64
	if err := old(s.Read(ctx)).Count(&found).Error; err != nil || found == 0 {
		return err
	}
	return s.Write(ctx, func(tx *store.Tx) error { return old(tx.DB).UpdateColumn("sealed_token", "").Error })
}
