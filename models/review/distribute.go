package review

import (
	"cmp"
	"slices"
)

// Paper is a submission to be given to reviewers.
type Paper struct {
	SessionID string
	Has       int      // reviewers of the round that it has and that did not step aside
	Barred    []string // who cannot have it: has it already, submitted it or said they are in conflict
}

// Seat is a reviewer who can be given papers.
type Seat struct {
	UserID, Name string
	Load         int // what is assigned to them and they did not step aside from
}

// Pair is a paper with a reviewer it is given to.
type Pair struct{ SessionID, UserID string }

// Shortage is a paper for which so many reviewers are missing.
type Shortage struct {
	SessionID string
	Missing   int
}

// Plan is who would be given what.
type Plan struct {
	Given []Pair
	Short []Shortage // in the order of the papers
	Seats []Seat     // with what would be assigned to them then
}

// Touched is how many papers are given to somebody.
func (p *Plan) Touched() int {
	papers := map[string]bool{}
	for _, pair := range p.Given {
		papers[pair.SessionID] = true
	}
	return len(papers)
}

// Distribute gives each paper to so many reviewers as evenly as it can, none more than limit in all; 0 is no limit.
// Each
// paper gets its first reviewer before any gets its second. The same is planned whenever it is asked the same. Papers
// that few can have come first, and who is full makes room by handing on a paper of this plan, so a paper is short only
// when nobody near it has room.
func Distribute(papers []Paper, seats []Seat, each, limit int) Plan {
	d := &distribution{seats: slices.Clone(seats), limit: limit, barred: map[string]map[string]bool{}, has: make([][]string, len(seats))}
	for _, p := range papers {
		d.barred[p.SessionID] = map[string]bool{}
		for _, user := range p.Barred {
			d.barred[p.SessionID][user] = true
		}
	}
	order := slices.Clone(papers)
	slices.SortStableFunc(order, func(a, b Paper) int { return cmp.Compare(d.choices(a), d.choices(b)) })
	missing := map[string]int{}
	for n := range each { // everything has one reviewer before anything has the second
		for _, p := range order {
			if p.Has <= n && missing[p.SessionID] == 0 && !d.give(p.SessionID) {
				missing[p.SessionID] = each - n
			}
		}
	}
	plan := Plan{Seats: d.seats}
	for _, p := range papers {
		if missing[p.SessionID] > 0 {
			plan.Short = append(plan.Short, Shortage{p.SessionID, missing[p.SessionID]})
		}
	}
	for at, ids := range d.has {
		for _, id := range ids {
			plan.Given = append(plan.Given, Pair{id, d.seats[at].UserID})
		}
	}
	slices.SortFunc(plan.Given, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(a.SessionID, b.SessionID), cmp.Compare(a.UserID, b.UserID))
	})
	return plan
}

type distribution struct {
	seats  []Seat
	limit  int
	barred map[string]map[string]bool // users by paper, with those who were given it
	has    [][]string                 // what each seat was given
}

// choices is how many could have a paper.
func (d *distribution) choices(p Paper) int {
	n := 0
	for _, s := range d.seats {
		if !d.barred[p.SessionID][s.UserID] {
			n++
		}
	}
	return n
}

func (d *distribution) hasRoom(at int) bool { return d.limit == 0 || d.seats[at].Load < d.limit }

func (d *distribution) may(at int, paper string) bool { return !d.barred[paper][d.seats[at].UserID] }

// least is the seat with the least to do that has room and may have a paper, -1 for none.
func (d *distribution) least(paper string) int {
	best := -1
	for at := range d.seats {
		if d.hasRoom(at) && d.may(at, paper) && (best < 0 || d.seats[at].Load < d.seats[best].Load) {
			best = at
		}
	}
	return best
}

func (d *distribution) put(at int, paper string) {
	d.seats[at].Load++
	d.has[at] = append(d.has[at], paper)
	d.barred[paper][d.seats[at].UserID] = true
}

// give gives a paper to one more reviewer.
func (d *distribution) give(paper string) bool {
	if at := d.least(paper); at >= 0 {
		d.put(at, paper)
		return true
	}
	if !slices.ContainsFunc(d.seats, func(s Seat) bool { return s.Load < d.limit }) {
		return false
	}
	for at := range d.seats {
		if !d.may(at, paper) {
			continue
		}
		for i, other := range d.has[at] {
			if to := d.least(other); to >= 0 {
				d.has[at] = slices.Delete(d.has[at], i, i+1)
				d.seats[at].Load--
				delete(d.barred[other], d.seats[at].UserID)
				d.put(to, other)
				d.put(at, paper)
				return true
			}
		}
	}
	return false
}
