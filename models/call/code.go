package call

import (
	"context"
	"crypto/rand"
	"math/big"
	"regexp"

	"lectern/models/store"
)

// CodeInput holds the fields of an access code to be created or changed.
type CodeInput struct {
	Code      string      // "" generates one; 4 to 40 letters, digits and hyphens
	Note      string      // for staff: whom it is for
	MaxUses   *int        // submissions; nil for any number
	ExpiresAt *store.Time // nil for never
}

// UsedCode is a code with the number of submissions made with it.
type UsedCode struct {
	Code
	Uses int
}

// IsOver reports whether the code lets nobody in any more.
func (u *UsedCode) IsOver(now store.Time) bool {
	return u.ExpiresAt != nil && !now.Before(u.ExpiresAt.Time) || u.MaxUses != nil && u.Uses >= *u.MaxUses
}

const (
	maxNote  = 500
	mostUses = 10_000
	mostCode = 200 // codes of an event
)

var (
	codePattern  = regexp.MustCompile(`^[A-Za-z0-9-]{4,40}$`)
	errNoSuch    = store.Missing("There is no such access code.")
	errStaleCode = store.Outdated("Someone else changed this code since you read it. Read it again, then repeat your change.")
	errCodeTaken = store.Invalidf("code", "is there already; capital and small letters are the same")
)

// newCode returns a code that cannot be guessed and is easy to read out: 12 of 31 characters.
func newCode() string {
	const letters = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
	raw := make([]byte, 12)
	for i := range raw {
		n, _ := rand.Int(rand.Reader, big.NewInt(int64(len(letters)))) // never fails
		raw[i] = letters[n.Int64()]
	}
	return string(raw[:4]) + "-" + string(raw[4:8]) + "-" + string(raw[8:])
}

func (in *CodeInput) clean(now store.Time) error {
	var f store.Faults
	if in.Code == "" {
		in.Code = newCode()
	}
	if !codePattern.MatchString(in.Code) {
		f.Add(store.Invalidf("code", "must be 4 to 40 letters, digits and hyphens"))
	}
	f.Clean(store.CleanText, "note", &in.Note, maxNote)
	if n := in.MaxUses; n != nil && (*n < 1 || *n > mostUses) {
		f.Add(store.Invalidf("max_uses", "must be between 1 and %d", mostUses))
	}
	if in.ExpiresAt != nil && !now.Before(in.ExpiresAt.Time) {
		f.Add(store.Invalidf("expires_at", "must be in the future"))
	}
	return f.Err()
}

func (c *Code) facts() map[string]any {
	return map[string]any{"note": c.Note, "max_uses": store.Fact(c.MaxUses), "expires_at": store.Fact(c.ExpiresAt)}
}

// Codes returns all access codes of the event, the newest first.
func (c *Call) Codes(ctx context.Context) ([]*UsedCode, error) {
	codes := []*UsedCode{}
	err := c.p.Read(ctx).Table("call_codes").Select(`call_codes.*, (SELECT count(*) FROM proposals
			WHERE proposals.code_id = call_codes.id AND proposals.event_id = call_codes.event_id
			AND proposals.submitted_at IS NOT NULL) AS uses`).
		Where("event_id = ?", c.p.Event().ID).Order("created_at DESC, id DESC").Limit(mostCode).Scan(&codes).Error
	return codes, err
}

// MakeCode creates an access code. It answers NotFound if the event has no call, and Invalid for what breaks a rule or
// for a code that exists.
func (c *Call) MakeCode(ctx context.Context, in CodeInput) (*Code, error) {
	return store.Make(ctx, c.p.Write, func(tx *store.Tx) (*Code, error) {
		f, err := c.hold(ctx, tx)
		if err != nil {
			return nil, err
		}
		if err := in.clean(tx.Now); err != nil {
			return nil, err
		}
		if err := store.Unless(c.of(tx.Model(&Code{})).Where("upper(code) = upper(?)", in.Code), errCodeTaken); err != nil {
			return nil, err
		}
		var count int64
		if err := c.of(tx.Model(&Code{})).Count(&count).Error; err != nil {
			return nil, err
		}
		if count >= mostCode {
			return nil, store.Invalidf("code", "is one too many: an event has %d codes at most", mostCode)
		}
		code := &Code{ID: store.NewID(), EventID: f.EventID, Code: in.Code, Note: in.Note, MaxUses: in.MaxUses,
			ExpiresAt: in.ExpiresAt, CreatedAt: tx.Now, UpdatedAt: tx.Now}
		if err := tx.Create(code).Error; err != nil {
			return nil, err
		}
		facts := code.facts()
		facts["code"] = code.Code
		return code, c.p.Record(tx, store.Change{Subject: "call", ID: f.EventID, Action: "code_made", After: facts})
	})
}

// ChangeCode changes a code's note, uses and expiry; the code itself stays. It answers NotFound, Invalid for what
// breaks a rule, and Stale when the token is outdated; nil forces the write.
func (c *Call) ChangeCode(ctx context.Context, id string, in CodeInput, token *store.Time) error {
	return c.changeCode(ctx, id, token, "code_changed", func(code *Code, now store.Time) error {
		in.Code = code.Code
		if in.ExpiresAt != nil && code.ExpiresAt != nil && in.ExpiresAt.Equal(code.ExpiresAt.Time) {
			now = store.Time{} // an expired code may keep its expiry
		}
		if err := in.clean(now); err != nil {
			return err
		}
		code.Note, code.MaxUses, code.ExpiresAt = in.Note, in.MaxUses, in.ExpiresAt
		return nil
	})
}

// EndCode makes a code expire now; submissions made with it stay. It answers NotFound.
func (c *Call) EndCode(ctx context.Context, id string) error {
	return c.changeCode(ctx, id, nil, "code_ended", func(code *Code, now store.Time) error {
		if code.ExpiresAt == nil || now.Before(code.ExpiresAt.Time) {
			code.ExpiresAt = &now
		}
		return nil
	})
}

func (c *Call) changeCode(
	ctx context.Context, id string, token *store.Time, action string, apply func(*Code, store.Time) error,
) error {
	return c.p.Write(ctx, func(tx *store.Tx) error {
		code, err := store.OneByID[Code](c.of(tx.Lock()), id, errNoSuch)
		if err != nil {
			return err
		}
		if token != nil && !token.Equal(code.UpdatedAt.Time) {
			return errStaleCode
		}
		before := code.facts()
		if err := apply(code, tx.Now); err != nil {
			return err
		}
		was, is := store.Changes(before, code.facts())
		if len(is) == 0 {
			return nil
		}
		code.UpdatedAt = tx.Now.Following(code.UpdatedAt)
		if err := c.of(tx.Model(&Code{})).Where("id = ?", id).Select("note", "max_uses", "expires_at", "updated_at").
			Updates(code).Error; err != nil {
			return err
		}
		is["code"] = code.Code
		return c.p.Record(tx, store.Change{Subject: "call", ID: code.EventID, Action: action, Before: was, After: is})
	})
}
