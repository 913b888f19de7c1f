package reviews

import (
	"cmp"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"lectern/models"
	"lectern/models/csv"
	"lectern/models/reviews"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/reviews"
	"lectern/web/admin/visit"
)

// resultHeads are the columns of results: the order that each sorts by, and its first direction.
var resultHeads = []struct {
	order     reviews.ResultOrder
	name      string
	ascending bool
	number    bool
}{
	{reviews.ByTitle, "Submission", true, false}, {"", "Track", false, false}, {"", "Status", false, false},
	{reviews.ByMean, "Mean", false, true}, {reviews.ByCount, "Scores", false, true}, {reviews.BySpread, "Spread", false, true},
	{"", "Waiting", false, true},
}

// resultSearch reads the address, and drops invalid values.
func resultSearch(v *visit.Visit) reviews.ResultSearch {
	q := reviews.ResultSearch{Order: reviews.ByMean, TrackID: v.Query("track"), Page: store.Page{Number: v.PlainListing("page").Page(), Size: 50}}
	for _, h := range resultHeads {
		if h.order != "" && string(h.order) == v.Query("sort") {
			q.Order = h.order
		}
	}
	q.Ascending = v.Query("dir") == "asc"
	if !store.IsID(q.TrackID) {
		q.TrackID = ""
	}
	return q
}

// resultQuery returns the address of a search.
func resultQuery(q reviews.ResultSearch, page int) string {
	values := url.Values{"sort": {string(q.Order)}, "dir": {map[bool]string{true: "asc", false: "desc"}[q.Ascending]}}
	if q.TrackID != "" {
		values.Set("track", q.TrackID)
	}
	if page > 1 {
		values.Set("page", strconv.Itoa(page))
	}
	return "?" + values.Encode()
}

func showResults(v *visit.Visit, r *reviews.Round) error {
	q := resultSearch(v)
	rows, found, err := v.Rounds().Results(v.UserContext(), r.ID, q)
	if err != nil {
		return err
	}
	base := v.At("/rounds/" + r.ID)
	p := pages.ResultsPage{Base: base, Round: r.Name, CSV: base + "/results.csv" + resultQuery(q, 1), Sort: string(q.Order),
		Dir: map[bool]string{true: "asc", false: "desc"}[q.Ascending], GivesAll: r.GivesAll}
	if p.Tracks, err = trackOptions(v, q.TrackID); err != nil {
		return err
	}
	p.Heads = resultHeadsOf(q, base+"/results", r.GivesAll)
	for _, row := range rows {
		p.Rows = append(p.Rows, pages.ResultRow{Label: row.FriendlyID, Title: row.Title,
			URL:    v.At("/sessions/" + row.SessionID),
			People: reviews.Names(row.People), Track: row.Track, Status: string(row.Status), Mean: scoreText(row.Mean),
			Count: visit.Number(row.Scored), Spread: scoreText(row.Spread()),
			Waiting:   visit.Number(max(0, row.Assigned-row.Answered)),
			AssignURL: base + "/submissions/" + row.SessionID + "?from=results"})
	}
	p.Pages = visit.PagesAt(func(page int) string { return base + "/results" + resultQuery(q, page) }, found, "submissions")
	return visit.Show(v, http.StatusOK, "Results", pages.Results, p)
}

func resultHeadsOf(q reviews.ResultSearch, address string, givesAll bool) (heads []pages.ResultHead) {
	for _, h := range resultHeads {
		if givesAll && h.name == "Waiting" {
			continue
		}
		head := pages.ResultHead{Name: h.name, Number: h.number}
		if h.order != "" {
			next := q
			next.Order, next.Ascending = h.order, h.ascending
			if q.Order == h.order {
				next.Ascending = !q.Ascending
				head.Sorted = map[bool]string{true: "ascending", false: "descending"}[q.Ascending]
			}
			head.URL = address + resultQuery(next, 1)
		}
		heads = append(heads, head)
	}
	return heads
}

func scoreText(s *models.Score) string {
	if s == nil {
		return ""
	}
	return s.String()
}

// exportResults answers with all results of a round as CSV, in the order shown.
func exportResults(v *visit.Visit, r *reviews.Round) error {
	day := v.Options.Now().In(v.Event.Location()).Format("2006-01-02")
	return v.SendWritten(v.Event.Slug+"-results-"+day+".csv", visit.CSVType, func(out io.Writer) error {
		return writeResults(v, out, r)
	})
}

func writeResults(v *visit.Visit, file io.Writer, r *reviews.Round) error {
	w := csv.NewWriter(file)
	if err := w.Write([]string{"Number", "Title", "People", "Track", "Status", "Mean", "Scores", "Spread", "Assigned", "Reviewed",
		"Set aside"}); err != nil {
		return err
	}
	err := v.Rounds().EachResult(v.UserContext(), r.ID, resultSearch(v), func(rows []*reviews.Result) error {
		for _, row := range rows {
			if err := w.Write([]string{row.FriendlyID, row.Title, reviews.Names(row.People), row.Track,
				components.StatusName(string(row.Status)), scoreText(row.Mean), strconv.FormatInt(row.Scored, 10),
				scoreText(row.Spread()), strconv.FormatInt(row.Assigned, 10), strconv.FormatInt(row.Answered, 10),
				strconv.FormatInt(row.Aside, 10)}); err != nil {
				return err
			}
		}
		return nil
	})
	return cmp.Or(err, w.Flush())
}
