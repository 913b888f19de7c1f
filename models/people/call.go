package people

import (
	"archive/zip"
	"context"
	"fmt"
	"slices"

	"lectern/models"
	"lectern/models/store"
)

// PersonalCall is what the call for papers stores about a person. It includes what others typed about them, without
// saying who.
type PersonalCall struct {
	Accounts       []PersonalAccount       `json:"accounts"`
	Logins         []PersonalLogin         `json:"logins"`
	Passkeys       []PersonalPasskey       `json:"passkeys"`
	Links          []PersonalLink          `json:"links"`
	Proposals      []PersonalProposal      `json:"proposals"`
	Participations []PersonalParticipation `json:"participations"`
	Asked          []PersonalAsking        `json:"asked_to_speak_along"`
	Extensions     []PersonalExtension     `json:"may_write_longer"`
	Answers        []PersonalAnswer        `json:"answers_about_yourself"`
}

// PersonalAccount is an account by which somebody enters their place.
type PersonalAccount struct {
	Email       string      `json:"email"`
	HasPassword bool        `json:"has_password"`
	ConfirmedAt *store.Time `json:"confirmed_at"`
	CreatedAt   store.Time  `json:"created_at"`
}

// PersonalLogin is a browser in which somebody is signed in.
type PersonalLogin struct {
	Address    string     `json:"address"`
	Agent      string     `json:"browser"`
	CreatedAt  store.Time `json:"created_at"`
	LastSeenAt store.Time `json:"last_seen_at"`
}

// PersonalPasskey is a passkey that opens somebody's place.
type PersonalPasskey struct {
	Name       string      `json:"name"`
	MadeFor    string      `json:"made_for"`
	CreatedAt  store.Time  `json:"created_at"`
	LastUsedAt *store.Time `json:"last_used_at"`
}

// PersonalLink is a link to somebody's place, without its token, which is not stored.
type PersonalLink struct {
	CreatedAt store.Time `json:"created_at"`
	ExpiresAt store.Time `json:"expires_at"`
}

// PersonalProposal is a proposal that somebody made.
type PersonalProposal struct {
	SessionID       string         `json:"-"`
	Event           string         `json:"event"`
	Label           string         `json:"label"`
	Title           string         `json:"title"`
	BeganAt         store.Time     `json:"began_at"`
	SubmittedAt     *store.Time    `json:"submitted_at"`
	WithdrawnAt     *store.Time    `json:"withdrawn_at"`
	WithdrawnReason string         `json:"withdrawn_for"`
	Answers         models.Answers `json:"answers" gorm:"serializer:json"`
	Files           []string       `json:"files" gorm:"-"`
}

// PersonalParticipation is somebody's answer whether they come.
type PersonalParticipation struct {
	Event      string     `json:"event"`
	Label      string     `json:"label"`
	Answer     string     `json:"answer"`
	Reason     string     `json:"reason"`
	AnsweredAt store.Time `json:"answered_at"`
}

// PersonalAsking is an invitation to be a co-speaker.
type PersonalAsking struct {
	Event     string     `json:"event"`
	Label     string     `json:"label"`
	Email     string     `json:"email"`
	Name      string     `json:"name"`
	State     string     `json:"state"`
	CreatedAt store.Time `json:"created_at"`
}

// PersonalExtension is a later deadline for one person.
type PersonalExtension struct {
	Event string     `json:"event"`
	Until store.Time `json:"until"`
}

// PersonalAnswer is an answer to what an event asks of each speaker; for a file, the file's name.
type PersonalAnswer struct {
	Event    string `json:"event"`
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// callKeys returns all folded addresses under which the call may know a person: present, former, and those of their
// accounts.
func callKeys(tx *store.Tx, c *models.Contact) (keys []string, err error) {
	err = tx.Raw(`SELECT email_key FROM contacts WHERE id = ? AND email_key <> '' UNION
		SELECT email_key FROM contact_aliases WHERE contact_id = ? UNION
		SELECT email_key FROM speaker_accounts WHERE contact_id = ?`, c.ID, c.ID, c.ID).Scan(&keys).Error
	return keys, err
}

// call collects what the call for papers stores about the person.
func (g *gatherer) call() error {
	keys, err := callKeys(g.tx, &g.of.Contact)
	if err != nil {
		return err
	}
	const at = ` JOIN sessions s ON s.id = x.session_id JOIN events e ON e.id = x.event_id`
	c, id := &g.data.Call, g.of.ID
	for _, of := range []struct {
		into   any
		query  string
		values []any
	}{
		{&c.Accounts, `SELECT email, password_hash <> '' AS has_password, confirmed_at, created_at FROM speaker_accounts
			WHERE contact_id = ? ORDER BY created_at, id`, []any{id}},
		{&c.Logins, `SELECT l.address, l.agent, l.created_at, l.last_seen_at FROM speaker_logins l
			JOIN speaker_accounts a ON a.id = l.account_id WHERE a.contact_id = ? ORDER BY l.created_at`, []any{id}},
		{&c.Passkeys, `SELECT k.name, k.made_for, k.created_at, k.last_used_at FROM speaker_passkeys k
			JOIN speaker_accounts a ON a.id = k.account_id WHERE a.contact_id = ? ORDER BY k.created_at`, []any{id}},
		{&c.Links, `SELECT created_at, expires_at FROM speaker_links WHERE contact_id = ? OR account_id IN
			(SELECT id FROM speaker_accounts WHERE contact_id = ?) ORDER BY created_at`, []any{id, id}},
		{&c.Proposals, `SELECT x.session_id, e.name AS event, s.friendly_id AS label, s.title, x.created_at AS began_at, x.submitted_at,
			x.withdrawn_at, x.withdrawn_reason, s.custom_fields AS answers FROM proposals x` + at +
			` WHERE x.contact_id = ? ORDER BY x.created_at, x.session_id`, []any{id}},
		{&c.Participations, `SELECT e.name AS event, s.friendly_id AS label, x.answer, x.reason, x.answered_at FROM participations x` +
			at + ` WHERE x.contact_id = ? ORDER BY x.answered_at`, []any{id}},
		{&c.Asked, `SELECT e.name AS event, s.friendly_id AS label, x.email, x.name, x.state, x.created_at FROM co_speakers x` + at +
			` WHERE e.organization_id = ? AND (x.contact_id = ? OR x.email_key IN ?) ORDER BY x.created_at`, []any{g.ID, id, keys}},
		{&c.Extensions, `SELECT e.name AS event, x.until FROM call_extensions x JOIN events e ON e.id = x.event_id
			WHERE x.contact_id = ? ORDER BY x.until`, []any{id}},
		{&c.Answers, `SELECT e.name AS event, q.label AS question, coalesce(f.name, x.value) AS answer FROM speaker_answers x
			JOIN events e ON e.id = x.event_id JOIN call_questions q ON q.id = x.question_id LEFT JOIN files f ON f.id = x.file_id
			WHERE x.contact_id = ? ORDER BY e.created_at, e.id, q.position, q.key`, []any{id}},
	} {
		if err := g.tx.Raw(of.query, of.values...).Scan(of.into).Error; err != nil {
			return err
		}
	}
	return g.answerFiles()
}

// answerFiles collects the files of the person's answers.
func (g *gatherer) answerFiles() error {
	for i := range g.data.Call.Proposals {
		p := &g.data.Call.Proposals[i]
		var files []*models.File
		if err := g.tx.Table("files f").Joins("JOIN proposal_files x ON x.file_id = f.id").Select("f.*").
			Where("x.session_id = ?", p.SessionID).Order("x.key").Find(&files).Error; err != nil {
			return err
		}
		for _, f := range files {
			p.Files = append(p.Files, f.Name)
			g.data.answers = append(g.data.answers, f)
		}
	}
	var own []*models.File
	err := g.tx.Table("files f").Joins("JOIN speaker_answers x ON x.file_id = f.id").Select("f.*").
		Where("x.contact_id = ?", g.of.ID).Order("x.event_id, x.question_id").Find(&own).Error
	g.data.answers = append(g.data.answers, own...)
	return err
}

// copyAnswers copies the files of answers into an archive.
func (d *Directory) copyAnswers(ctx context.Context, archive *zip.Writer, files []*models.File) error {
	for i, f := range files {
		if err := d.copyInto(ctx, archive, fmt.Sprintf("answers/%d %s", i+1, f.Name), f); err != nil {
			return err
		}
	}
	return nil
}

// call deletes invitations of the person as a co-speaker, with what others typed there, letters to their unknown
// addresses, their reasons for withdrawing, and their answers as a speaker. Proposals stay, with answers and files:
// they belong to the session.
func (e *eraser) call() error {
	keys, err := callKeys(e.tx, e.contact)
	if err != nil {
		return err
	}
	const here = "event_id IN (SELECT id FROM events WHERE organization_id = ?)"
	if len(keys) > 0 {
		if err := e.tx.Exec("DELETE FROM co_speakers WHERE "+here+" AND email_key IN ?", e.ID, keys).Error; err != nil {
			return err
		}
		if err := e.lettersTyped(here, keys); err != nil {
			return err
		}
	}
	if err := models.ForgetAnswers(e.tx, e.ID, "contact_id = ?", e.contact.ID); err != nil {
		return err
	}
	return e.tx.Exec("UPDATE proposals SET withdrawn_reason = '' WHERE contact_id = ?", e.contact.ID).Error
}

// lettersTyped deletes letters of the call to the person's addresses that belong to no contact.
func (e *eraser) lettersTyped(here string, keys []string) error {
	var letters []*models.Letter
	if err := e.tx.Select("id", "to_email").Where("kind = 'call' AND contact_id = '' AND "+here, e.ID).
		Order("id").Find(&letters).Error; err != nil {
		return err
	}
	var theirs []string
	for _, l := range letters {
		if slices.Contains(keys, store.Fold(l.ToEmail)) {
			theirs = append(theirs, l.ID)
		}
	}
	if len(theirs) == 0 {
		return nil
	}
	return e.tx.Where("id IN ?", theirs).Delete(&models.Letter{}).Error
}
