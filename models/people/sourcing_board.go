package people

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// BoardSearch says which cards of an event's board are shown.
type BoardSearch struct {
	Filter  Filter // of the people whose cards are shown
	StageID string // shows only this stage; "" for all
	Offset  int    // how many cards of each stage are skipped
	Limit   int    // how many cards of each stage are read
}

// BoardColumn is a stage with its cards.
type BoardColumn struct {
	*Stage
	Cards []*BoardCard
	Total int64 // number of cards that pass the filter; Cards may be a part of them
}

// BoardCard is a card as a board shows it.
type BoardCard struct {
	Card     `gorm:"embedded"`
	FullName string
	Company  string
	JobTitle string
	PhotoKey string
	Status   string              // the status at the event
	Note     *models.ContactNote `gorm:"-"` // the last note, nil without one
	Place    int                 // from 1, among the stage's cards that pass the filter
	Total    int64               // number of those cards
}

// Board returns the stages of the organization with the event's cards, with three SQL statements however many there
// are. It answers Invalid for a filter that breaks a rule.
func (e *AtEvent) Board(ctx context.Context, q BoardSearch) ([]*BoardColumn, error) {
	if err := q.Filter.Check(); err != nil {
		return nil, err
	}
	d := e.p.Directory()
	stages, err := In(d).Stages(ctx)
	if err != nil {
		return nil, err
	}
	columns := store.Map(stages, func(s *Stage) *BoardColumn { return &BoardColumn{Stage: s} })
	cards := In(d).passing(ctx, &q.Filter, true).
		Joins("JOIN sourcing_cards k ON k.contact_id = contacts.id AND k.event_id = ?", e.p.Event().ID).
		Joins("JOIN event_contacts h ON h.event_id = k.event_id AND h.contact_id = k.contact_id").
		Select("k.*, contacts.full_name, contacts.company_name AS company, contacts.job_title, contacts.photo_key, " +
			"h.workflow_status AS status, count(*) OVER (PARTITION BY k.stage_id) AS total, " +
			"row_number() OVER (PARTITION BY k.stage_id ORDER BY k.position, k.contact_id) AS place")
	if q.StageID != "" {
		cards = cards.Where("k.stage_id = ?", q.StageID)
	}
	var rows []*BoardCard
	err = d.Read(ctx).Table("(?) AS cards", cards).Where("place > ? AND place <= ?", q.Offset, q.Offset+q.Limit).
		Order("place, contact_id").Find(&rows).Error
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if i := slices.IndexFunc(stages, func(s *Stage) bool { return s.ID == row.StageID }); i >= 0 {
			columns[i].Cards, columns[i].Total = append(columns[i].Cards, row), row.Total
		}
	}
	return columns, In(d).lastNotes(d.Read(ctx), rows)
}

// lastNotes fills in each card's last note, which only organizers read.
func (d *Directory) lastNotes(db *gorm.DB, cards []*BoardCard) error {
	byID := map[string]*BoardCard{}
	var ids []string
	for _, c := range cards {
		byID[c.ContactID], ids = c, append(ids, c.ContactID)
	}
	if len(ids) == 0 || !d.ReadsConfidentialAt(d.Event().ID) {
		return nil
	}
	var notes []*models.ContactNote
	err := db.Raw(`SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY contact_id ORDER BY created_at DESC, id DESC) AS place
		FROM contact_notes WHERE event_id = ? AND contact_id IN ?) AS notes WHERE place = 1`, d.Event().ID, ids).
		Scan(&notes).Error
	for _, n := range notes {
		byID[n.ContactID].Note = n
	}
	return err
}

// StageCounts returns how many cards of all events are on each stage, by stage id.
func (d *Directory) StageCounts(ctx context.Context) (map[string]int64, error) {
	return countBy(d.Read(ctx).Model(&Card{}).Where("organization_id = ?", d.ID), "stage_id")
}

// CardOf returns somebody's card on the event's board, or NotFound.
func (e *AtEvent) CardOf(ctx context.Context, contactID string) (*Card, error) {
	return e.card(e.p.Read(ctx), contactID)
}

// Standing returns the stages of the organization and somebody's card on the event's board, nil without one, with one
// SQL statement.
func (e *AtEvent) Standing(ctx context.Context, contactID string) (stages []*Stage, card *Card, err error) {
	var rows []struct {
		Stage `gorm:"embedded"`
		Since *store.Time
	}
	d := e.p.Directory()
	if err := d.Read(ctx).Table("sourcing_stages s").Select("s.*, k.since").
		Joins("LEFT JOIN sourcing_cards k ON k.stage_id = s.id AND k.event_id = ? AND k.contact_id = ?", e.p.Event().ID, contactID).
		Where("s.organization_id = ?", d.ID).Order("s.position, s.id").Scan(&rows).Error; err != nil {
		return nil, nil, err
	}
	for i, row := range rows {
		stages = append(stages, &rows[i].Stage)
		if row.Since != nil {
			card = &Card{EventID: e.p.Event().ID, ContactID: contactID, OrganizationID: d.ID, StageID: row.ID, Since: *row.Since}
		}
	}
	if len(stages) == 0 {
		stages = In(d).usual()
	}
	return stages, card, nil
}

// CardsOf returns the ids of the stages on which people have cards at the event, by contact id.
func (e *AtEvent) CardsOf(ctx context.Context, contactIDs []string) (map[string]string, error) {
	var cards []*Card
	err := e.p.Read(ctx).Where("event_id = ? AND contact_id IN ?", e.p.Event().ID, contactIDs).Find(&cards).Error
	stages := map[string]string{}
	for _, c := range cards {
		stages[c.ContactID] = c.StageID
	}
	return stages, err
}

// CardMoves returns the moves of somebody's card, the latest first, at most 200.
func (e *AtEvent) CardMoves(ctx context.Context, contactID string) (moves []*CardMove, err error) {
	return moves, e.p.Read(ctx).Where("event_id = ? AND contact_id = ?", e.p.Event().ID, contactID).
		Order("created_at DESC, id DESC").Limit(200).Find(&moves).Error
}
