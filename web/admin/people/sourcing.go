package people

import (
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/people"
	"lectern/web/admin/visit"
)

// cardsAStage is how many cards of each stage the board shows; a stage shown alone has pages of RowsAPage.
const cardsAStage = 50

// board is an event's board as an address describes it.
type board struct {
	*roster
	only string // id of the one stage that is shown, "" for all
}

// boardHere returns the board that the address describes. It has the filters of the list of people.
func boardHere(v *visit.Visit) (*board, error) {
	r, err := rosterHere(v)
	if err != nil {
		return nil, err
	}
	b := &board{roster: r}
	r.base, v.Section = v.At("/sourcing"), v.At("/sourcing")
	for _, name := range []string{"who", "columns", "sort", "segment"} {
		r.l.Set(name, "")
	}
	if store.IsID(v.Query("stage")) {
		b.only = v.Query("stage")
	}
	return b, nil
}

// at returns the address of the board with one stage, "" for all of them.
func (b *board) at(stage string, page int) string {
	l := visit.Listing{Query: maps.Clone(b.l.Query)}
	l.Set("stage", stage)
	l.Set("page", "")
	if page > 1 {
		l.Set("page", strconv.Itoa(page))
	}
	return b.roster.at(l)
}

// search returns the search of the board's cards, limit of each stage.
func (b *board) search(offset, limit int) people.BoardSearch {
	q := people.BoardSearch{Filter: b.filter(), StageID: b.only, Offset: offset, Limit: limit}
	q.Filter.Speaking = nil // whether on a session or not
	return q
}

func showBoard(v *visit.Visit) error {
	b, err := boardHere(v)
	if err != nil {
		return err
	}
	q := b.search(0, cardsAStage)
	if b.only != "" {
		q = b.search((b.l.Page()-1)*visit.RowsAPage, visit.RowsAPage)
	}
	columns, err := people.Of(v.Programme).Board(v.UserContext(), q)
	if err != nil {
		return err
	}
	p := pages.BoardPage{Base: b.base, MayChange: v.May(staff.Organizer)}
	if v.MayEverywhere() {
		p.Stages = stagesPath
	}
	kinds := map[people.StageKind]int64{}
	for _, c := range columns {
		p.Count += c.Total
		kinds[c.Kind] += c.Total
		p.Targets = append(p.Targets, pages.CardStage{ID: c.ID, Name: c.Name, Kind: c.Kind})
		if b.only == "" || c.ID == b.only {
			p.Columns = append(p.Columns, b.column(c, p.MayChange))
		}
	}
	if b.only != "" {
		if only, err := b.alone(&p); only == nil || err != nil {
			return err
		}
	}
	b.frame(&p)
	p.Sentence = sentence(p, kinds)
	return boardPage(v, p)
}

// sentence says how many people are on a board, by kind of stage.
func sentence(p pages.BoardPage, kinds map[people.StageKind]int64) string {
	if p.Count == 0 {
		return ""
	}
	text := visit.Counted(p.Count, "person", "people")
	if p.Narrowed {
		text += " found"
	}
	return text + ": " + visit.Number(kinds[people.StageOpen]) + " on the way, " + visit.Number(kinds[people.StageWon]) +
		" won, " +
		visit.Number(kinds[people.StageLost]) + " lost."
}

// boardPage shows a board with its script.
func boardPage(v *visit.Visit, p pages.BoardPage) (err error) {
	if p.Shell, err = v.Shell("Sourcing"); err != nil {
		return err
	}
	p.Scripts = []string{"/static/board.js"}
	return v.Render(http.StatusOK, pages.Board(p))
}

// alone returns the pager of a stage shown alone, nil after redirecting to its last page.
func (b *board) alone(p *pages.BoardPage) (*components.Pages, error) {
	if len(p.Columns) == 0 {
		return nil, &store.Error{Kind: store.NotFound, Message: "There is no such stage. It may have been removed."}
	}
	if len(p.Columns[0].Cards) == 0 && b.l.Page() > 1 { // beyond the last page
		return nil, b.seeLast()
	}
	at := store.Page{Number: b.l.Page(), Size: visit.RowsAPage}.Of(p.Count)
	only := visit.PagesAt(func(page int) string { return b.at(b.only, page) }, at, "people")
	p.Columns[0].All, p.Only = "", &only
	return p.Only, nil
}

// seeLast redirects to the last page of the stage that is shown alone.
func (b *board) seeLast() error {
	columns, err := people.Of(b.Programme).Board(b.UserContext(), b.search(0, 1))
	if err != nil {
		return err
	}
	var total int64
	for _, c := range columns {
		total += c.Total
	}
	return b.SeeInstead(b.at(b.only, store.Page{Number: 1, Size: visit.RowsAPage}.Of(total).TotalPages))
}

// frame fills in the search above the board.
func (b *board) frame(p *pages.BoardPage) {
	p.Bar = b.searchBar()
	if b.only != "" {
		p.Bar.Hidden = []components.Hidden{{Name: "stage", Value: b.only}}
	}
	p.Narrowed = p.Bar.Clear != ""
	_, p.Query, _ = strings.Cut(b.at(b.only, b.l.Page()), "?")
}

// column returns a stage as the board shows it.
func (b *board) column(c *people.BoardColumn, mayChange bool) pages.BoardColumn {
	column := pages.BoardColumn{ID: c.ID, Name: c.Name, Kind: c.Kind, Count: visit.Number(c.Total)}
	if int64(len(c.Cards)) < c.Total {
		column.All = b.at(c.ID, 1)
	}
	for _, x := range c.Cards {
		card := pages.BoardCard{ID: x.ContactID, Name: x.FullName, Byline: visit.JoinWords(", ", x.JobTitle, x.Company),
			URL: b.base + "/" + x.ContactID, Since: here(b.Visit, x.Since)}
		card.Photo = (&models.Contact{PhotoKey: x.PhotoKey}).PhotoPath()
		if x.Note != nil {
			card.Note = visit.Beginning(x.Note.Text, 160)
		}
		if !people.Invitable(x.Status) {
			card.Status = x.Status
		} else {
			card.Invite = mayChange && c.Kind == people.StageWon
		}
		column.Cards = append(column.Cards, card)
	}
	return column
}

// here says for how long a card has been in its stage.
func here(v *visit.Visit, since store.Time) string {
	return visit.Lasted(v.Store.Now().Sub(since.Time))
}

// backToBoard returns the address of the board that a form was sent from, with its filters.
func backToBoard(v *visit.Visit) string {
	query, err := url.ParseQuery(v.Value("query"))
	if err != nil || len(query) == 0 {
		return v.At("/sourcing")
	}
	return v.At("/sourcing") + "?" + query.Encode()
}

// moveCard moves a card, or undoes a move unless somebody moved the card since.
func moveCard(v *visit.Visit) error {
	id := v.Value("contact")
	moved, err := people.Of(v.Programme).MoveCard(v.UserContext(), id,
		people.CardTarget{StageID: v.Value("to"), After: v.Value("after"), From: v.Value("from")})
	back, anchor := backToBoard(v), "#card-"+id
	if v.Value("back") == "card" {
		back, anchor = v.At("/sourcing/"+id), ""
	}
	switch store.KindOf(err) {
	case store.Stale:
		return v.SeeWarning(back+anchor, "Somebody else moved this card meanwhile, so it stays where it is.")
	case store.NotFound:
		return v.SeeWarning(backToBoard(v), "This card is not on the board any more, so nothing was moved.")
	}
	if err != nil {
		return err
	}
	x, err := v.Programme.Directory().Person(v.UserContext(), id)
	if err != nil {
		return err
	}
	text := visit.Cut(x.FullName) + " is in " + moved.To.Name + " now."
	switch {
	case moved.From.ID == moved.To.ID:
		text = visit.Cut(x.FullName) + " has another place in " + moved.To.Name + "."
	case moved.To.Kind == people.StageWon && people.Invitable(x.Here.WorkflowStatus):
		text += " You can invite them: their card has the button for it."
	}
	if v.Value("from") != "" { // this was an undo
		return v.See(back+anchor, text)
	}
	return v.SeeUndo(back+anchor, text, v.At("/sourcing/move"), components.Hidden{Name: "contact", Value: id},
		components.Hidden{Name: "to", Value: moved.From.ID}, components.Hidden{Name: "after", Value: moved.After},
		components.Hidden{Name: "from", Value: moved.To.ID}, components.Hidden{Name: "query", Value: v.Value("query")},
		components.Hidden{Name: "back", Value: v.Value("back")})
}
