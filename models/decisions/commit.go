package decisions

import (
	"context"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Commit is a commit of decisions, opened or started, with its abstracts by outcome.
type Commit struct {
	*models.Batch
	Parts map[models.CommitOutcome]*Part
	// Effects are those that starting an opened commit would have now, or that a started one has had.
	Effects Effects
	Nowhere []string // names of the first people without an address
	Paged   int64    // number of rows with pages: those that are decided and, in an opened commit, those left out
}

// Part holds the abstracts with one outcome.
type Part struct {
	Count int64
	// Rows are a page of the abstracts that are decided, or the first 50 with any other outcome. Rows left out of an
	// opened commit stand among those that are decided.
	Rows []*Row
}

// Row is one abstract of a commit.
type Row struct {
	SessionID  string
	FriendlyID string
	Title      string
	Status     models.Status // the present one
	SeenStatus models.Status // when the commit was opened
	UpdatedAt  store.Time
	Deleted    bool
	Outcome    models.CommitOutcome
	People     []*models.Participant `gorm:"-"`
	// ChangedBy, ChangedDoor and ChangedAt describe the last change of a row that was changed or decided; empty if
	// unknown.
	ChangedBy, ChangedDoor string      `gorm:"-"`
	ChangedAt              *store.Time `gorm:"-"`
}

// Decision returns the decision that the row's queue stands for.
func (r *Row) Decision() models.Status { return r.Status.Committed() }

// Effects counts what a commit does.
type Effects struct {
	Accepted, Declined int
	Letters            int // drafted; none is sent
	People             int // who have an address, and see the decision in their place
	Unreachable        int // who have no address
}

// Decisions returns how many abstracts are decided.
func (e Effects) Decisions() int { return e.Accepted + e.Declined }

// commitRows is how many rows of each other outcome are shown.
const commitRows = 50

// commitItems selects a commit's items with their sessions.
func (ds *Decisions) commitItems(db *gorm.DB, b *models.Batch) *gorm.DB {
	return db.Table("batch_items i").Joins("JOIN sessions s ON s.event_id = i.event_id AND s.id = i.session_id").
		Where("i.event_id = ? AND i.batch_id = ?", ds.p.Event().ID, b.ID)
}

// outcomeNow returns the SQL expression for the outcome of a row of commitItems; "waits" stands for items that failed
// or are pending.
func outcomeNow(b *models.Batch) string {
	if !b.Prepared {
		return "CASE i.state WHEN 'done' THEN i.outcome ELSE 'waits' END"
	}
	return "CASE WHEN i.outcome = 'left_out' AND " + models.BucketNow + " = '' THEN 'left_out' ELSE " + models.BucketNow + " END"
}

// Commit returns a commit of decisions with a page of the abstracts that it decides or leaves out, ordered by queue and
// number. For one at work, which clients poll, it only counts decisions. It answers NotFound, also for a batch of
// another kind.
func (ds *Decisions) Commit(ctx context.Context, id string, page store.Page) (*Commit, error) {
	if err := page.Clean(); err != nil {
		return nil, err
	}
	b, err := ds.p.Batch(ctx, id)
	if err == nil && (b.Change.Operation != models.BatchCommit || b.Undoes != nil) {
		err = store.NoSuch("commit")
	}
	if err != nil {
		return nil, err
	}
	c := &Commit{Batch: b, Parts: map[models.CommitOutcome]*Part{}}
	if c.AtWork() {
		return c, ds.countDecided(ctx, c)
	}
	var counts []struct {
		Outcome models.CommitOutcome
		N       int64
	}
	if err := ds.p.Read(ctx).Table("(?) r", ds.commitItems(ds.p.Read(ctx), b).Select(outcomeNow(b)+" AS outcome")).
		Select("outcome, count(*) AS n").Group("outcome").Scan(&counts).Error; err != nil {
		return nil, err
	}
	for _, x := range counts {
		c.Parts[x.Outcome] = &Part{Count: x.N}
	}
	rows, err := ds.commitPage(ctx, b, page)
	if err != nil {
		return nil, err
	}
	c.place(rows)
	return c, ds.countEffects(ctx, c)
}

// AtWork reports whether the commit was started and has not finished.
func (c *Commit) AtWork() bool { return c.State == models.BatchRunning && !c.Prepared }

// place adds rows to their parts, and counts those with pages.
func (c *Commit) place(rows []*Row) {
	out := c.Parts[models.CommitLeftOut]
	if c.Prepared && out != nil {
		c.Paged = out.Count
		if c.Parts[models.CommitDecides] == nil {
			c.Parts[models.CommitDecides] = &Part{}
		}
	}
	if decides := c.Parts[models.CommitDecides]; decides != nil {
		c.Paged += decides.Count
	}
	for _, r := range rows {
		part := c.Parts[r.Outcome]
		if c.Prepared && r.Outcome == models.CommitLeftOut {
			part = c.Parts[models.CommitDecides]
		}
		if part != nil { // its outcome appeared after the counts were read
			part.Rows = append(part.Rows, r)
		}
	}
}

// commitPage returns a page of the rows that are decided or left out, and the first of each other outcome.
func (ds *Decisions) commitPage(ctx context.Context, b *models.Batch, page store.Page) ([]*Row, error) {
	of := ds.commitItems(ds.p.Read(ctx), b).Select(`i.session_id, s.friendly_id, s.title, s.status, i.seen_status, s.updated_at,
		s.deleted_at IS NOT NULL AS deleted, ` + outcomeNow(b) + ` AS outcome, s.number`)
	paged := "outcome = ''"
	if b.Prepared {
		paged = "outcome IN ('', 'left_out')"
	}
	numbered := ds.p.Read(ctx).Table("(?) r", of).Select(`r.*, CASE WHEN ` + paged + ` THEN 1 ELSE 0 END AS paged,
		row_number() OVER (PARTITION BY CASE WHEN ` + paged + ` THEN '' ELSE outcome END ORDER BY seen_status, number) AS n`)
	var rows []*Row
	after := (page.Number - 1) * page.Size
	err := ds.p.Read(ctx).Table("(?) x", numbered).
		Where("paged = 1 AND n > ? AND n <= ? OR paged = 0 AND n <= ? AND outcome <> 'waits'", after, after+page.Size,
			commitRows).
		Order("seen_status, number").Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return rows, err
	}
	return rows, ds.describe(ctx, rows)
}

// describe fills in the people of rows, and the last change of those that were changed.
func (ds *Decisions) describe(ctx context.Context, rows []*Row) error {
	byID, told := map[string]*models.Session{}, map[string]*Row{}
	var changed []string
	for _, r := range rows {
		byID[r.SessionID] = &models.Session{ID: r.SessionID}
		if r.Outcome == models.CommitChanged || r.Outcome == models.CommitDecided || r.Outcome == models.CommitWithdrawn {
			changed, told[r.SessionID] = append(changed, r.SessionID), r
		}
	}
	if err := models.LoadParticipants(ds.p.Read(ctx), ds.p.Event().ID, byID); err != nil {
		return err
	}
	for _, r := range rows {
		r.People = byID[r.SessionID].Participants
	}
	if len(changed) == 0 {
		return nil
	}
	var lines []*store.Activity
	err := ds.p.Read(ctx).Select("subject_id, actor_name, door, created_at").
		Where("event_id = ? AND subject_id IN ? AND subject = 'session' AND action IN ('updated', 'deleted')",
			ds.p.Event().ID, changed).
		Where("NOT EXISTS (SELECT 1 FROM activity later WHERE later.subject_id = activity.subject_id AND " +
			"later.subject = 'session' AND later.action IN ('updated', 'deleted') AND later.id > activity.id)").
		Find(&lines).Error
	for _, line := range lines {
		r := told[line.SubjectID]
		r.ChangedBy, r.ChangedDoor, r.ChangedAt = line.ActorName, line.Door, &line.CreatedAt
	}
	return err
}

// namedAtMost is how many people without an address are named.
const namedAtMost = 5

// countDecided counts the decisions of a commit and the drafted letters.
func (ds *Decisions) countDecided(ctx context.Context, c *Commit) error {
	decided, status := ds.p.Read(ctx).Table("batch_items i").
		Where("i.event_id = ? AND i.batch_id = ? AND i.state = 'done' AND i.outcome = ''", ds.p.Event().ID,
			c.ID), "i.after ->> 'status'"
	if c.Prepared {
		decided, status = ds.decidedItems(ctx, c), "s.status"
	}
	count := func(of string) string {
		return "coalesce(sum(CASE WHEN " + status + " IN (" + of + ") THEN 1 ELSE 0 END), 0)"
	}
	return decided.Select(count("'accepted', 'accept_queue'") + " AS accepted, " + count("'declined', 'decline_queue'") +
		" AS declined, coalesce(sum(i.letters), 0) AS letters").Scan(&c.Effects).Error
}

// decidedItems selects the items that a commit has decided, or would decide.
func (ds *Decisions) decidedItems(ctx context.Context, c *Commit) *gorm.DB {
	return ds.commitItems(ds.p.Read(ctx), c.Batch).Where("("+outcomeNow(c.Batch)+") = ?", models.CommitDecides)
}

// countEffects counts the effects that a commit has, or has had.
func (ds *Decisions) countEffects(ctx context.Context, c *Commit) error {
	if err := ds.countDecided(ctx, c); err != nil {
		return err
	}
	e := &c.Effects
	people := func() *gorm.DB {
		return ds.decidedItems(ctx, c).
			Joins("JOIN participants x ON x.event_id = i.event_id AND x.session_id = i.session_id").
			Joins("JOIN contacts c ON c.id = x.contact_id")
	}
	var n Effects
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

// Summary is a started commit in the list of commits.
type Summary struct {
	*models.Batch
	Decided int
	Letters int
}

// Commits returns up to limit commits that were started, newest first.
func (ds *Decisions) Commits(ctx context.Context, limit int) ([]*Summary, error) {
	var started []*models.Batch
	if err := ds.p.Read(ctx).Where("event_id = ? AND change ->> 'operation' = 'commit' AND NOT prepared AND undoes IS NULL",
		ds.p.Event().ID).Order("created_at DESC, id DESC").Limit(limit).Find(&started).Error; err != nil || len(started) == 0 {
		return nil, err
	}
	all := store.Map(started, func(b *models.Batch) *Summary { return &Summary{Batch: b} })
	byID := store.ByKey(all, func(s *Summary) string { return s.ID })
	var counts []struct {
		BatchID    string
		N, Letters int
	}
	err := ds.p.Read(ctx).Model(&models.BatchRow{}).Where("batch_id IN ? AND state = 'done' AND outcome = ''",
		store.Map(started, func(b *models.Batch) string { return b.ID })).
		Select("batch_id, count(*) AS n, sum(letters) AS letters").Group("batch_id").Scan(&counts).Error
	for _, x := range counts {
		byID[x.BatchID].Decided, byID[x.BatchID].Letters = x.N, x.Letters
	}
	return all, err
}
