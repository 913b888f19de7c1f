package reviews

import (
	"context"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Result is the result of a submission in a round.
type Result struct {
	Outcome                  `gorm:"embedded"`
	FriendlyID, Title, Track string
	Status                   models.Status
	People                   []Person `gorm:"-"`
}

// ResultOrder is an order of results.
type ResultOrder string

// Results without a score come last in each order.
const (
	ByMean   ResultOrder = "mean"
	ByCount  ResultOrder = "count"
	BySpread ResultOrder = "spread"
	ByTitle  ResultOrder = "title"
	ByLabel  ResultOrder = "label"
)

var resultColumns = map[ResultOrder]string{
	ByMean: "x.mean", ByCount: "x.scored", BySpread: "x.variance", ByTitle: "s.title_key", ByLabel: "s.number",
}

// ResultSearch asks for a page of the results of a round.
type ResultSearch struct {
	TrackID   string // "" for all
	Order     ResultOrder
	Ascending bool
	Page      store.Page
}

// orderBy returns the ORDER BY of the search. It says where nulls go, because SQLite sorts them first in ascending
// order.
func (q *ResultSearch) orderBy() (string, error) {
	column, known := resultColumns[q.Order]
	if !known {
		return "", store.Invalidf("sort", "must be mean, count, spread, title or label")
	}
	way := " DESC"
	if q.Ascending {
		way = " ASC"
	}
	if q.Order == ByTitle || q.Order == ByLabel { // in the order of the index, which has no nulls
		return column + way + ", s.id" + way, nil
	}
	return column + way + " NULLS LAST, x.session_id" + way, nil
}

// ofSessions reports whether the search needs columns of sessions.
func (q *ResultSearch) ofSessions() bool {
	return q.Order == ByTitle || q.Order == ByLabel || q.TrackID != ""
}

// results selects the results that match the search.
func (r *Rounds) results(ctx context.Context, roundID string, q *ResultSearch) *gorm.DB {
	event := r.p.Event().ID
	db := r.p.Read(ctx).Where("x.event_id = ? AND x.round_id = ? AND (x.assigned > 0 OR x.answered > 0)", event, roundID)
	if q.ofSessions() {
		// SQLite joins the tables in this order, by the sessions' indexes. So does PostgreSQL, until it has enough
		// rows, as long as no condition has a subquery on sessions: it would add that cost to each row.
		db = db.Table("sessions s CROSS JOIN review_results x").
			Where("s.event_id = ? AND s.is_abstract = true AND s.deleted_at IS NULL AND s.status NOT IN ('draft', 'withdrawn')"+
				" AND s.id = x.session_id", event)
	} else {
		db = db.Table("review_results x").Where(stillReviewed, event, event)
	}
	if q.TrackID != "" {
		db = db.Where("s.track_id = ?", q.TrackID)
	}
	return db
}

// whole returns the results of a query with their submissions, in an order.
func (r *Rounds) whole(ctx context.Context, roundID string, some *gorm.DB, order string) (rows []*Result, err error) {
	err = r.p.Read(ctx).Table("(?) AS page", some.Select("x.session_id")).
		Joins("JOIN review_results x ON x.round_id = ? AND x.session_id = page.session_id", roundID).
		Joins("JOIN sessions s ON s.id = x.session_id").Joins("LEFT JOIN metadata ON metadata.id = s.track_id").
		Select(resultFields).Order(order).Scan(&rows).Error
	return rows, err
}

const resultFields = `x.session_id, s.friendly_id, s.title, coalesce(metadata.name, '') AS track, s.status,
	x.assigned, x.answered, x.aside, x.scored, x.mean, x.variance`

// Results returns a page of the results of submissions that were assigned or reviewed in a round. It answers Invalid
// for an unknown order.
func (r *Rounds) Results(ctx context.Context, roundID string, q ResultSearch) ([]*Result, store.Pagination, error) {
	order, err := q.orderBy()
	if err != nil {
		return nil, store.Pagination{}, err
	}
	if err := q.Page.Clean(); err != nil {
		return nil, store.Pagination{}, err
	}
	total, err := r.p.Counted(ctx, "results "+roundID+" "+q.TrackID, func() (n int64, err error) {
		err = r.results(ctx, roundID, &ResultSearch{TrackID: q.TrackID}).Count(&n).Error
		return n, err
	})
	if err != nil {
		return nil, store.Pagination{}, err
	}
	rows, err := r.whole(ctx, roundID, r.results(ctx, roundID, &q).Order(order).Limit(q.Page.Size).Offset(q.Page.Offset()), order)
	if err != nil {
		return nil, store.Pagination{}, err
	}
	return rows, q.Page.Of(total), r.withPeople(ctx, rows)
}

// withPeople fills in the people on the submissions, with their roles.
func (r *Rounds) withPeople(ctx context.Context, rows []*Result) error {
	if len(rows) == 0 {
		return nil
	}
	byID := store.ByKey(rows, func(row *Result) string { return row.SessionID })
	var people []struct{ SessionID, Name, Role string }
	err := r.p.Read(ctx).Table("participants").Joins("JOIN contacts ON contacts.id = participants.contact_id").
		Select("participants.session_id, contacts.full_name AS name, participants.role").
		Where("participants.event_id = ? AND participants.session_id IN ?", r.p.Event().ID, slices.Collect(maps.Keys(byID))).
		Order("participants.session_id, participants.position, participants.contact_id").Scan(&people).Error
	for _, p := range people {
		byID[p.SessionID].People = append(byID[p.SessionID].People, Person{p.Name, p.Role})
	}
	return err
}

// exportedAtOnce is how many results EachResult passes on at once.
const exportedAtOnce = 500

// EachResult calls take with all results of a search in its order, exportedAtOnce at a time. An error of take ends it
// and is returned. It answers Invalid as Results does.
func (r *Rounds) EachResult(ctx context.Context, roundID string, q ResultSearch, take func([]*Result) error) error {
	order, err := q.orderBy()
	if err != nil {
		return err
	}
	rows, err := r.whole(ctx, roundID, r.results(ctx, roundID, &q), order)
	if err != nil {
		return err
	}
	for len(rows) > 0 {
		some := rows[:min(len(rows), exportedAtOnce)]
		if err := r.withPeople(ctx, some); err != nil {
			return err
		}
		if err := take(some); err != nil {
			return err
		}
		rows = rows[len(some):]
	}
	return nil
}

// Names returns people as a list, with the role of each who is not a speaker.
func Names(people []Person) string {
	names := make([]string, len(people))
	for i, p := range people {
		if names[i] = p.Name; p.Role != string(models.Speaking) {
			names[i] += " (" + p.Role + ")"
		}
	}
	return strings.Join(names, ", ")
}

// Covered is an undecided submission with the number of its reviewers in a round.
type Covered struct {
	SessionID, FriendlyID, Title string
	Status                       models.Status
	Assigned                     int64
	Aside                        int64 // of the assigned: abstained, or in conflict
}

// Cover returns a page of the undecided submissions that a text finds, or of all without one: those with the fewest
// reviewers in the round first, then by number. It answers Invalid for a text that is too long.
func (r *Rounds) Cover(
	ctx context.Context, roundID, text string, page store.Page,
) ([]*Covered, store.Pagination, error) {
	text, err := store.CleanText("q", text, store.MaxSearchText)
	if err == nil {
		err = page.Clean()
	}
	if err != nil {
		return nil, store.Pagination{}, err
	}
	here := r.p.Read(ctx).Table("sessions").Where("sessions.event_id = ?", r.p.Event().ID).Where(undecided)
	found := r.p.WithText(here, text).Session(&gorm.Session{})
	var total int64
	if err := found.Count(&total).Error; err != nil {
		return nil, store.Pagination{}, err
	}
	var rows []*Covered
	err = found.Joins("LEFT JOIN review_results x ON x.round_id = ? AND x.session_id = sessions.id", roundID).
		Select(`sessions.id AS session_id, sessions.friendly_id, sessions.title, sessions.status,
			coalesce(x.assigned, 0) AS assigned, coalesce(x.aside, 0) AS aside`).
		Order("coalesce(x.assigned - x.aside, 0), sessions.number").Limit(page.Size).Offset(page.Offset()).Scan(&rows).Error
	return rows, page.Of(total), err
}

// Seated is a round with assignments that is not over, and how many of its reviewers have a submission.
type Seated struct {
	RoundID, Name string
	Assigned      int64
}

// Seats returns the rounds in which a submission may be assigned, in the order of their creation.
func (r *Rounds) Seats(ctx context.Context, sessionID string) (rows []*Seated, err error) {
	err = r.p.Read(ctx).Raw(`SELECT id AS round_id, name, (SELECT count(*) FROM review_assignments a
			WHERE a.round_id = review_rounds.id AND a.session_id = ?) AS assigned
		FROM review_rounds WHERE event_id = ? AND NOT gives_all AND (closes_at IS NULL OR closes_at > ?)
		ORDER BY created_at, id`, sessionID, r.p.Event().ID, r.p.Now()).Scan(&rows).Error
	return rows, err
}
