package decision

import (
	"context"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Commit is a commit of decisions, opened or started, with its abstracts by what becomes of them.
type Commit struct {
	*models.Batch
	Parts map[models.CommitOutcome]*Part
	// Effects are those of an opened one if it were started now, or of what a started one has done.
	Effects Effects
	Nowhere []string // the first who have no address, by name
	Paged   int64    // the rows that have pages: what is decided and, while it is opened, what is left out of that
}

// Part is what one thing becomes of.
type Part struct {
	Count int64
	// Rows are a page of what is decided, the first 50 of anything else. What is left out of an opened commit stands in
	// its place among what is decided.
	Rows []*Row
}

// Row is one abstract of a commit.
type Row struct {
	SessionID  string
	FriendlyID string
	Title      string
	Status     models.Status // as it is now
	SeenStatus models.Status // when the commit was opened
	UpdatedAt  store.Time
	Deleted    bool
	Outcome    models.CommitOutcome
	People     []*models.Participant `gorm:"-"`
	// ChangedBy and ChangedAt are of the last change of what was changed or decided; nil where nothing is known.
	ChangedBy, ChangedDoor string      `gorm:"-"`
	ChangedAt              *store.Time `gorm:"-"`
}

// Decision is what the row's queue is there for.
func (r *Row) Decision() models.Status { return r.Status.Committed() }

// Effects are what a commit does, in numbers.
type Effects struct {
	Accepted, Declined int
	Letters            int // drafted; none is sent
	People             int // who have an address, and see the decision in their place
	Unreachable        int // who have none
}

// Decisions are how many abstracts are decided.
func (e Effects) Decisions() int { return e.Accepted + e.Declined }

// commitRows are how many rows of what is not decided are shown.
const commitRows = 50

// commitItems are a commit's abstracts with their sessions.
func (ds *Decisions) commitItems(db *gorm.DB, b *models.Batch) *gorm.DB {
	return db.Table("batch_items i").Joins("JOIN sessions s ON s.event_id = i.event_id AND s.id = i.session_id").
		Where("i.event_id = ? AND i.batch_id = ?", ds.p.Event().ID, b.ID)
}

// outcomeNow is what a row of commitItems becomes, or has become. What has failed or waits is not known.
func outcomeNow(b *models.Batch) string {
	if !b.Prepared {
		return "CASE i.state WHEN 'done' THEN i.outcome ELSE 'waits' END"
	}
	return "CASE WHEN i.outcome = 'left_out' AND " + models.BucketNow + " = '' THEN 'left_out' ELSE " + models.BucketNow + " END"
}

// Commit returns a commit of decisions with a page of what is decided or left out by it, in the order of queue and
// number. Of one at work, which is asked for again and again, it only counts what is decided. It answers NotFound, also
// for a batch of another kind.
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

// AtWork tells whether the commit was started and has not finished.
func (c *Commit) AtWork() bool { return c.State == models.BatchRunning && !c.Prepared }

// place puts rows into their parts.
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
		if part != nil { // none of what was counted a moment before it came
			part.Rows = append(part.Rows, r)
		}
	}
}

// commitPage are a page of what is decided or left out, and the first of each other part.
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

// describe fills in the people of rows, and who changed those that were changed.
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

// namedAtMost is how many of those without an address are named.
const namedAtMost = 5

// countDecided counts the decisions of a commit and the letters that were drafted.
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

// decidedItems are the items of a commit that are decided, or would be.
func (ds *Decisions) decidedItems(ctx context.Context, c *Commit) *gorm.DB {
	return ds.commitItems(ds.p.Read(ctx), c.Batch).Where("("+outcomeNow(c.Batch)+") = ?", models.CommitDecides)
}

// countEffects counts what a commit does, or has done.
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

// Summary is one commit that was started, for the list of them.
type Summary struct {
	*models.Batch
	Decided int
	Letters int
}

// Commits are the latest commits that were started, newest first, up to limit of them.
func (ds *Decisions) Commits(ctx context.Context, limit int) ([]*Summary, error) {
	var started []*models.Batch
	if err := ds.p.Read(ctx).Where("event_id = ? AND change ->> 'operation' = 'commit' AND NOT prepared AND undoes IS NULL",
		ds.p.Event().ID).Order("created_at DESC, id DESC").Limit(limit).Find(&started).Error; err != nil || len(started) == 0 {
		return nil, err
	}
	ids, byID := make([]string, len(started)), map[string]*Summary{}
	all := make([]*Summary, len(started))
	for i, b := range started {
		all[i] = &Summary{Batch: b}
		ids[i], byID[b.ID] = b.ID, all[i]
	}
	var counts []struct {
		BatchID    string
		N, Letters int
	}
	err := ds.p.Read(ctx).Model(&models.BatchRow{}).Where("batch_id IN ? AND state = 'done' AND outcome = ''", ids).
		Select("batch_id, count(*) AS n, sum(letters) AS letters").Group("batch_id").Scan(&counts).Error
	for _, x := range counts {
		byID[x.BatchID].Decided, byID[x.BatchID].Letters = x.N, x.Letters
	}
	return all, err
}
