package call

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Places counts the submissions that chose a choice with a limit, by the keys of questions and the choices.
type Places map[string]map[string]int

// Left returns how many more submissions may choose an offer with a limit, at least 0.
func (places Places) Left(key string, offer Offer) int {
	return max(0, offer.Limit-places[key][offer.Value])
}

// hasLimit reports whether a choice of the question has a limit.
func (q *Question) hasLimit() bool {
	return slices.ContainsFunc(q.Options, func(c Choice) bool { return c.Limit > 0 })
}

// PlacesOf counts the choices of an event's submissions for questions with limits; except is a submission to leave out.
func (f *Form) PlacesOf(db *gorm.DB, except string) (Places, error) {
	places := Places{}
	for _, q := range f.Questions() {
		if !q.hasLimit() {
			continue
		}
		chosen, err := f.chosen(db, q, except)
		if err != nil {
			return nil, err
		}
		places[q.Key] = chosen
	}
	return places, nil
}

func (f *Form) chosen(db *gorm.DB, q *Question, except string) (map[string]int, error) {
	counted := db.Model(&models.Session{}).Where("event_id = ? AND is_abstract AND deleted_at IS NULL AND id <> ?",
		f.EventID, except).
		Where("status IN ?", taking)
	chosen := map[string]int{}
	if family := q.Family(); family != "" {
		var rows []struct {
			ID string
			N  int
		}
		column := family.Singular() + "_id"
		err := counted.Select(column + " AS id, count(*) AS n").Where(column + " IS NOT NULL").Group(column).Find(&rows).
			Error
		for _, row := range rows {
			chosen[row.ID] = row.N
		}
		return chosen, err
	}
	var all []models.Answers
	err := counted.Where("CAST(custom_fields AS text) LIKE ?", "%"+q.Key+"%").Pluck("custom_fields", &all).Error
	for _, answers := range all {
		for _, answer := range answers {
			if answer.Key == q.Key {
				for _, value := range q.split(q.valueOf(answer.Value)) {
					chosen[value]++
				}
			}
		}
	}
	return chosen, err
}

// holdCall locks the call's settings, so that submissions that count towards its limits wait for each other. The caller
// has locked the session before.
func (f *Form) holdCall(tx *store.Tx) error {
	if tx.Store.Embedded() {
		return nil
	}
	return tx.Lock().Where("event_id = ?", f.EventID).Limit(1).Find(&Settings{}).Error
}

// checkPlaces answers Invalid, by the keys, for new choices without places left. A submission keeps the choices it has.
// Limits do not apply to people with a code or to staff.
func (p *Proposal) checkPlaces(tx *store.Tx, v Values) error {
	if !p.IsSubmitted() || p.Standing.Window.Invited || p.byStaff {
		return nil
	}
	return p.takePlaces(tx, v, p.Values)
}

// takePlaces is checkPlaces for answers that change from had, which may be nil, to v.
func (p *Proposal) takePlaces(tx *store.Tx, v, had Values) error {
	limited := slices.DeleteFunc(p.Form.Asked(v), func(q *Question) bool {
		return !q.hasLimit() ||
			v[q.Key] == had[q.Key]
	})
	if len(limited) == 0 {
		return nil
	}
	if err := p.Form.holdCall(tx); err != nil {
		return err
	}
	var faults store.Faults
	for _, q := range limited {
		chosen, err := p.Form.chosen(tx.DB, q, p.ID)
		if err != nil {
			return err
		}
		for _, offer := range p.Form.Offered(q) {
			if offer.Limit > 0 && chosen[offer.Value] >= offer.Limit && slices.Contains(q.split(v[q.Key]), offer.Value) {
				faults.Add(store.Invalidf(q.Key, "takes no more of %s: all %d places are taken. Choose again.", offer.Name,
					offer.Limit))
			}
		}
	}
	return faults.Err()
}

// checkLimits refuses a submission beyond a limit: of the person who began it, of the call, or of its code.
func (p *Proposal) checkLimits(tx *store.Tx) error {
	f := p.Form
	if p.Standing.Window.Invited {
		return p.checkCode(tx)
	}
	if f.MaxProposals != nil && p.Standing.BeganBy != "" {
		mine, err := p.others(tx, "p.contact_id = ?", p.Standing.BeganBy)
		if err != nil {
			return err
		}
		if mine >= int64(*f.MaxProposals) {
			return refused(fmt.Sprintf("You have submitted %s, which is as many as one person can here. Withdraw one to submit this one.",
				counted(int(mine), "proposal")))
		}
	}
	if f.MaxTotal == nil {
		return nil
	}
	if err := f.holdCall(tx); err != nil {
		return err
	}
	all, err := p.others(tx, "")
	if err == nil && all >= int64(*f.MaxTotal) {
		err = refused("The call is full: all places are taken. Your draft is kept.")
	}
	return err
}

// others counts the submissions besides this one that count towards a limit; this one may be among them by now.
func (p *Proposal) others(tx *store.Tx, condition string, values ...any) (int64, error) {
	n, err := countOf(tx.DB, p.Event.ID, condition, values...)
	if slices.Contains(taking, p.Status) {
		n--
	}
	return n, err
}

// Submitted returns how many proposals to an event's call the place's owner began and has submitted.
func (pl *Place) Submitted(ctx context.Context, event *models.Event) (int64, error) {
	return countOf(pl.read(ctx), event.ID, "p.contact_id = ?", pl.contactID)
}

// checkCode refuses a draft whose code has no uses left.
func (p *Proposal) checkCode(tx *store.Tx) error {
	code, err := store.One[Code](tx.Lock().Where("event_id = ? AND id = ?", p.Event.ID, *p.Standing.CodeID), errNoCode)
	if err != nil || code.MaxUses == nil {
		return err
	}
	used, err := p.others(tx, "p.code_id = ?", code.ID)
	if err == nil && used >= int64(*code.MaxUses) {
		err = refused("The access code was used as often as it may be. Ask whoever gave it to you for another one.")
	}
	return err
}

var errNoCode = store.Invalidf("code", "is not a code of this call, or it is no longer good")

// countOf returns how many submissions of an event count towards a limit, of those whose proposals p meet a condition;
// "" counts all, by an index alone.
func countOf(db *gorm.DB, eventID, condition string, values ...any) (n int64, err error) {
	db = db.Table("sessions s").Where("s.event_id = ? AND s.is_abstract = true AND s.deleted_at IS NULL AND s.status IN ?",
		eventID, taking)
	if condition != "" {
		db = db.Joins("JOIN proposals p ON p.session_id = s.id").Where(condition, values...)
	}
	err = db.Count(&n).Error
	return n, err
}
