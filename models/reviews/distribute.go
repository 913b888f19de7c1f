package reviews

import (
	"cmp"
	"slices"
)

// Paper is a submission to be given to reviewers.
type Paper struct {
	SessionID string
	Has       int      // reviewers of the round who have it and did not step aside
	Barred    []string // users who cannot get it: they have it, submitted it or are in conflict
}

// Seat is a reviewer who can get papers.
type Seat struct {
	UserID, Name string
	Load         int // papers assigned to them, without those they stepped aside from
}

// Pair is a paper and a reviewer who gets it.
type Pair struct{ SessionID, UserID string }

// Shortage is a paper and how many reviewers it lacks.
type Shortage struct {
	SessionID string
	Missing   int
}

// Plan says which reviewers would get which papers.
type Plan struct {
	Given []Pair
	Short []Shortage // in the order of the papers
	Seats []Seat     // with the load that they would then have
}

// Touched returns how many papers get a reviewer.
func (p *Plan) Touched() int {
	papers := map[string]bool{}
	for _, pair := range p.Given {
		papers[pair.SessionID] = true
	}
	return len(papers)
}

// Distribute plans that every paper has as many reviewers as each says, as evenly as it can, and no reviewer more than
// limit papers in all; 0 is no limit. Every paper gets its first reviewer before any gets its second. The same arguments
// give the same plan. Papers that few reviewers can have come first, and a full reviewer makes room by passing on a
// paper of this plan, so a paper is short only if no reviewer who may have it can make room.
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
	for n := range each { // every paper has its first reviewer before any has its second
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
	barred map[string]map[string]bool // user ids by paper, including those who were given it
	has    [][]string                 // the papers that each seat was given
}

// choices returns how many reviewers could have a paper.
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

// least returns the seat with the smallest load that has room and may have a paper, -1 for none.
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

// give gives a paper to one more reviewer, and reports whether it could.
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
