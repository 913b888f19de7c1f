package models

import (
	"context"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Commit is a commit of decisions, opened or started, with its abstracts by what becomes of them.
type Commit struct {
	*Batch
	Parts map[CommitOutcome]*CommitPart
	// Effects are those of an opened one if it were started now, or of what a started one has done.
	Effects CommitEffects
	Nowhere []string // the first who have no address, by name
	Paged   int64    // the rows that have pages: what is decided and, while it is opened, what is left out of that
}

// CommitPart is what one thing becomes of.
type CommitPart struct {
	Count int64
	// Rows are a page of what is decided, the first 50 of anything else. What is left out of an opened commit stands in
	// its place among what is decided.
	Rows []*CommitRow
}

// CommitRow is one abstract of a commit.
type CommitRow struct {
	SessionID  string
	FriendlyID string
	Title      string
	Status     Status // as it is now
	SeenStatus Status // when the commit was opened
	UpdatedAt  store.Time
	Deleted    bool
	Outcome    CommitOutcome
	People     []*Participant `gorm:"-"`
	// ChangedBy and ChangedAt are of the last change of what was changed or decided; nil where nothing is known.
	ChangedBy, ChangedDoor string      `gorm:"-"`
	ChangedAt              *store.Time `gorm:"-"`
}

// Decision is what the row's queue is there for.
func (r *CommitRow) Decision() Status { return r.Status.committed() }

// CommitEffects are what a commit does, in numbers.
type CommitEffects struct {
	Accepted, Declined int
	Letters            int // drafted; none is sent
	People             int // who have an address, and see the decision in their place
	Unreachable        int // who have none
}

// Decisions are how many abstracts are decided.
func (e CommitEffects) Decisions() int { return e.Accepted + e.Declined }

// commitRows are how many rows of what is not decided are shown.
const commitRows = 50

// commitItems are a commit's abstracts with their sessions.
func (p *Programme) commitItems(db *gorm.DB, b *Batch) *gorm.DB {
	return db.Table("batch_items i").Joins("JOIN sessions s ON s.event_id = i.event_id AND s.id = i.session_id").
		Where("i.event_id = ? AND i.batch_id = ?", p.event.ID, b.ID)
}

// outcomeNow is what a row of commitItems becomes, or has become. What has failed or waits is not known.
func (b *Batch) outcomeNow() string {
	if !b.Prepared {
		return "CASE i.state WHEN 'done' THEN i.outcome ELSE 'waits' END"
	}
	return "CASE WHEN i.outcome = 'left_out' AND " + bucketNow + " = '' THEN 'left_out' ELSE " + bucketNow + " END"
}

// Commit returns a commit of decisions with a page of what is decided or left out by it, in the order of queue and
// number. Of one at work, which is asked for again and again, it only counts what is decided. It answers NotFound, also
// for a batch of another kind.
func (p *Programme) Commit(ctx context.Context, id string, page store.Page) (*Commit, error) {
	if err := page.Clean(); err != nil {
		return nil, err
	}
	b, err := p.Batch(ctx, id)
	if err == nil && (b.Change.Operation != BatchCommit || b.Undoes != nil) {
		err = store.NoSuch("commit")
	}
	if err != nil {
		return nil, err
	}
	c := &Commit{Batch: b, Parts: map[CommitOutcome]*CommitPart{}}
	if c.AtWork() {
		return c, p.countDecided(ctx, c)
	}
	var counts []struct {
		Outcome CommitOutcome
		N       int64
	}
	if err := p.read(ctx).Table("(?) r", p.commitItems(p.read(ctx), b).Select(b.outcomeNow()+" AS outcome")).
		Select("outcome, count(*) AS n").Group("outcome").Scan(&counts).Error; err != nil {
		return nil, err
	}
	for _, x := range counts {
		c.Parts[x.Outcome] = &CommitPart{Count: x.N}
	}
	rows, err := p.commitPage(ctx, b, page)
	if err != nil {
		return nil, err
	}
	c.place(rows)
	return c, p.countEffects(ctx, c)
}

// AtWork tells whether the commit was started and has not finished.
func (c *Commit) AtWork() bool { return c.State == BatchRunning && !c.Prepared }

// place puts rows into their parts.
func (c *Commit) place(rows []*CommitRow) {
	out := c.Parts[CommitLeftOut]
	if c.Prepared && out != nil {
		c.Paged = out.Count
		if c.Parts[CommitDecides] == nil {
			c.Parts[CommitDecides] = &CommitPart{}
		}
	}
	if decides := c.Parts[CommitDecides]; decides != nil {
		c.Paged += decides.Count
	}
	for _, r := range rows {
		part := c.Parts[r.Outcome]
		if c.Prepared && r.Outcome == CommitLeftOut {
			part = c.Parts[CommitDecides]
		}
		if part != nil { // none of what was counted a moment before it came
			part.Rows = append(part.Rows, r)
		}
	}
}

// commitPage are a page of what is decided or left out, and the first of each other part.
func (p *Programme) commitPage(ctx context.Context, b *Batch, page store.Page) ([]*CommitRow, error) {
	of := p.commitItems(p.read(ctx), b).Select(`i.session_id, s.friendly_id, s.title, s.status, i.seen_status, s.updated_at,
		s.deleted_at IS NOT NULL AS deleted, ` + b.outcomeNow() + ` AS outcome, s.number`)
	paged := "outcome = ''"
	if b.Prepared {
		paged = "outcome IN ('', 'left_out')"
	}
	numbered := p.read(ctx).Table("(?) r", of).Select(`r.*, CASE WHEN ` + paged + ` THEN 1 ELSE 0 END AS paged,
		row_number() OVER (PARTITION BY CASE WHEN ` + paged + ` THEN '' ELSE outcome END ORDER BY seen_status, number) AS n`)
	var rows []*CommitRow
	after := (page.Number - 1) * page.Size
	err := p.read(ctx).Table("(?) x", numbered).
		Where("paged = 1 AND n > ? AND n <= ? OR paged = 0 AND n <= ? AND outcome <> 'waits'", after, after+page.Size, commitRows).
		Order("seen_status, number").Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return rows, err
	}
	return rows, p.describe(ctx, rows)
}

// describe fills in the people of rows, and who changed those that were changed.
func (p *Programme) describe(ctx context.Context, rows []*CommitRow) error {
	byID, told := map[string]*Session{}, map[string]*CommitRow{}
	var changed []string
	for _, r := range rows {
		byID[r.SessionID] = &Session{ID: r.SessionID}
		if r.Outcome == CommitChanged || r.Outcome == CommitDecided || r.Outcome == CommitWithdrawn {
			changed, told[r.SessionID] = append(changed, r.SessionID), r
		}
	}
	if err := loadParticipants(p.read(ctx), p.event.ID, byID); err != nil {
		return err
	}
	for _, r := range rows {
		r.People = byID[r.SessionID].Participants
	}
	if len(changed) == 0 {
		return nil
	}
	var lines []*store.Activity
	err := p.read(ctx).Select("subject_id, actor_name, door, created_at").
		Where("event_id = ? AND subject_id IN ? AND subject = 'session' AND action IN ('updated', 'deleted')", p.event.ID, changed).
		Where("NOT EXISTS (SELECT 1 FROM activity later WHERE later.subject_id = activity.subject_id AND " +
			"later.subject = 'session' AND later.action IN ('updated', 'deleted') AND later.id > activity.id)").
		Find(&lines).Error
	for _, line := range lines {
		r := told[line.SubjectID]
		r.ChangedBy, r.ChangedDoor, r.ChangedAt = line.ActorName, line.Door, &line.CreatedAt
	}
	return err
}

// namedAtMost is how many of those without an address are named.
const namedAtMost = 5

// countDecided counts the decisions of a commit and the letters that were drafted.
func (p *Programme) countDecided(ctx context.Context, c *Commit) error {
	decided, status := p.read(ctx).Table("batch_items i").
		Where("i.event_id = ? AND i.batch_id = ? AND i.state = 'done' AND i.outcome = ''", p.event.ID, c.ID), "i.after ->> 'status'"
	if c.Prepared {
		decided, status = p.decidedItems(ctx, c), "s.status"
	}
	count := func(of string) string {
		return "coalesce(sum(CASE WHEN " + status + " IN (" + of + ") THEN 1 ELSE 0 END), 0)"
	}
	return decided.Select(count("'accepted', 'accept_queue'") + " AS accepted, " + count("'declined', 'decline_queue'") +
		" AS declined, coalesce(sum(i.letters), 0) AS letters").Scan(&c.Effects).Error
}

// decidedItems are the items of a commit that are decided, or would be.
func (p *Programme) decidedItems(ctx context.Context, c *Commit) *gorm.DB {
	return p.commitItems(p.read(ctx), c.Batch).Where("("+c.outcomeNow()+") = ?", CommitDecides)
}

// countEffects counts what a commit does, or has done.
func (p *Programme) countEffects(ctx context.Context, c *Commit) error {
	if err := p.countDecided(ctx, c); err != nil {
		return err
	}
	e := &c.Effects
	people := func() *gorm.DB {
		return p.decidedItems(ctx, c).Joins("JOIN participants x ON x.event_id = i.event_id AND x.session_id = i.session_id").
			Joins("JOIN contacts c ON c.id = x.contact_id")
	}
	var n CommitEffects
	if err := people().Select("count(CASE WHEN c.email <> '' THEN 1 END) AS letters, " +
		"count(DISTINCT CASE WHEN c.email <> '' THEN c.id END) AS people, " +
		"count(DISTINCT CASE WHEN c.email = '' THEN c.id END) AS unreachable").Scan(&n).Error; err != nil {
		return err
	}
	if e.People, e.Unreachable = n.People, n.Unreachable; c.Prepared {
		e.Letters = n.Letters
	}
	if e.Unreachable == 0 {
		return nil
	}
	return people().Where("c.email = ''").Group("c.id, c.full_name").Order("min(s.number), c.id").Limit(namedAtMost).
		Pluck("c.full_name", &c.Nowhere).Error
}

// CommitSummary is one commit that was started, for the list of them.
type CommitSummary struct {
	*Batch
	Decided int
	Letters int
}

// Commits are the latest commits that were started, newest first, up to limit of them.
func (p *Programme) Commits(ctx context.Context, limit int) ([]*CommitSummary, error) {
	var started []*Batch
	if err := p.read(ctx).Where("event_id = ? AND change ->> 'operation' = 'commit' AND NOT prepared AND undoes IS NULL",
		p.event.ID).Order("created_at DESC, id DESC").Limit(limit).Find(&started).Error; err != nil || len(started) == 0 {
		return nil, err
	}
	ids, byID := make([]string, len(started)), map[string]*CommitSummary{}
	all := make([]*CommitSummary, len(started))
	for i, b := range started {
		all[i] = &CommitSummary{Batch: b}
		ids[i], byID[b.ID] = b.ID, all[i]
	}
	var counts []struct {
		BatchID    string
		N, Letters int
	}
	err := p.read(ctx).Model(&BatchRow{}).Where("batch_id IN ? AND state = 'done' AND outcome = ''", ids).
		Select("batch_id, count(*) AS n, sum(letters) AS letters").Group("batch_id").Scan(&counts).Error
	for _, x := range counts {
		byID[x.BatchID].Decided, byID[x.BatchID].Letters = x.N, x.Letters
	}
	return all, err
}
