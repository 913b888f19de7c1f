package review

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Result is what becomes of a submission in a round.
type Result struct {
	SessionID, FriendlyID, Title string
	Track                        string
	Status                       models.Status
	Assigned                     int64
	Answered                     int64 // reviews, with those who stepped aside
	Aside                        int64
	Scored                       int64         // those the mean is of
	Mean                         *models.Score // nil without a score
	Variance                     *int64        // of hundredths
	People                       []Person      `gorm:"-"`
}

// Spread is the standard deviation of the scores in hundredths; nil without a score.
func (r *Result) Spread() *models.Score { return spread(r.Variance) }

// ResultOrder is what results are sorted by.
type ResultOrder string

// The orders of results. Without a score comes last in each.
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

// ResultSearch is what is asked of the results of a round.
type ResultSearch struct {
	TrackID   string // "" for all
	Order     ResultOrder
	Ascending bool
	Page      store.Page
}

// orderBy is the order of the search. SQLite keeps nothing first in ascending order, so that is said for both.
func (q *ResultSearch) orderBy() (string, error) {
	column, known := resultColumns[q.Order]
	if !known {
		return "", store.Invalidf("sort", "must be mean, count, spread, title or label")
	}
	way := " DESC"
	if q.Ascending {
		way = " ASC"
	}
	if q.Order == ByTitle || q.Order == ByLabel { // as their index has them, which is never null
		return column + way + ", s.id" + way, nil
	}
	return column + way + " NULLS LAST, x.session_id" + way, nil
}

// ofSessions tells that the search cannot be answered by what reviews come to alone.
func (q *ResultSearch) ofSessions() bool {
	return q.Order == ByTitle || q.Order == ByLabel || q.TrackID != ""
}

// results are those that pass.
func (r *Rounds) results(ctx context.Context, roundID string, q *ResultSearch) *gorm.DB {
	event := r.p.Event().ID
	db := r.p.Read(ctx).Where("x.event_id = ? AND x.round_id = ? AND (x.assigned > 0 OR x.answered > 0)", event, roundID)
	if q.ofSessions() {
		// SQLite takes them in this order, by the sessions' indexes. So does PostgreSQL, until it has enough of them, as
		// long as no condition looks up sessions of its own: it would count that look for each row.
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

// whole are some results with what is shown of their submissions.
func (r *Rounds) whole(ctx context.Context, roundID string, some *gorm.DB, order string) (rows []*Result, err error) {
	err = r.p.Read(ctx).Table("(?) AS page", some.Select("x.session_id")).
		Joins("JOIN review_results x ON x.round_id = ? AND x.session_id = page.session_id", roundID).
		Joins("JOIN sessions s ON s.id = x.session_id").Joins("LEFT JOIN metadata ON metadata.id = s.track_id").
		Select(resultFields).Order(order).Scan(&rows).Error
	return rows, err
}

const resultFields = `x.session_id, s.friendly_id, s.title, coalesce(metadata.name, '') AS track, s.status,
	x.assigned, x.answered, x.aside, x.scored, x.mean, x.variance`

// Results are a page of what becomes of submissions in a round, of those assigned or reviewed in it. It answers
// Invalid for an order that there is not.
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

// withPeople says who is on the submissions, and as what.
func (r *Rounds) withPeople(ctx context.Context, rows []*Result) error {
	byID, ids := map[string]*Result{}, make([]string, len(rows))
	for i, row := range rows {
		byID[row.SessionID], ids[i] = row, row.SessionID
	}
	if len(ids) == 0 {
		return nil
	}
	var people []struct{ SessionID, Name, Role string }
	err := r.p.Read(ctx).Table("participants").Joins("JOIN contacts ON contacts.id = participants.contact_id").
		Select("participants.session_id, contacts.full_name AS name, participants.role").
		Where("participants.event_id = ? AND participants.session_id IN ?", r.p.Event().ID, ids).
		Order("participants.session_id, participants.position, participants.contact_id").Scan(&people).Error
	for _, p := range people {
		byID[p.SessionID].People = append(byID[p.SessionID].People, Person{p.Name, p.Role})
	}
	return err
}

// exportedAtOnce is how many results are read at once.
const exportedAtOnce = 500

// EachResult hands all results of a search on, page by page, in the search's order.
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

// Names are people as a list, with the role of each who is not a speaker.
func Names(people []Person) string {
	names := make([]string, len(people))
	for i, p := range people {
		if names[i] = p.Name; p.Role != string(models.Speaking) {
			names[i] += " (" + p.Role + ")"
		}
	}
	return strings.Join(names, ", ")
}
