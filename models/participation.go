package models

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"
)

// Coming says whether the people of a session come, according to what they answered in their places.
type Coming string

const (
	AllCome    Coming = "yes"  // each has said that they come
	SomeCannot Coming = "no"   // somebody has said that they cannot come
	SomeSilent Coming = "none" // it is accepted, and somebody has not answered, but nobody has said that they cannot
)

// comingWords are the words for each value, in their order.
var comingWords = []struct {
	Coming
	words string
}{{AllCome, "Comes"}, {SomeCannot, "Cannot come"}, {SomeSilent, "No answer yet"}}

// Comings returns all values of Coming, and the words for each.
func Comings() (all []Coming, words []string) {
	for _, c := range comingWords {
		all, words = append(all, c.Coming), append(words, c.words)
	}
	return all, words
}

// answered is the end of an SQL query for answers: an answer counts for its session, for the abstracts that this is
// composed of, and for the session composed of it.
const answered = `FROM participations x WHERE x.event_id = sessions.event_id AND (x.session_id = sessions.id
	OR x.session_id = sessions.composed_into OR x.session_id IN (SELECT a.id FROM sessions a WHERE a.composed_into = sessions.id))`

// coming narrows sessions to those whose people come, cannot come, or have not answered.
func coming(db *gorm.DB, of Coming) *gorm.DB {
	const (
		refused = "EXISTS (SELECT 1 " + answered + " AND x.answer = 'no')"
		silent  = `EXISTS (SELECT 1 FROM participants p WHERE p.session_id = sessions.id
			AND NOT EXISTS (SELECT 1 ` + answered + ` AND x.contact_id = p.contact_id))`
	)
	switch of {
	case AllCome:
		return db.Where("NOT is_alone AND NOT " + refused + " AND NOT " + silent)
	case SomeCannot:
		return db.Where(refused)
	case SomeSilent:
		return db.Where("status = 'accepted' AND NOT " + refused + " AND " + silent)
	}
	return db
}

// ComingTo narrows participants p of sessions s to those who come to the event, cannot, or are accepted and have not
// answered.
func ComingTo(on *gorm.DB, of Coming) *gorm.DB {
	const theirs = "SELECT 1 FROM participations x WHERE x.event_id = p.event_id AND x.contact_id = p.contact_id"
	switch of {
	case AllCome, SomeCannot:
		return on.Where("EXISTS ("+theirs+" AND x.answer = ?)", string(of))
	case SomeSilent:
		return on.Where("s.status = 'accepted' AND NOT EXISTS (" + theirs + ")")
	}
	return on
}

// ComingOf returns, by session id, who comes, in words such as "2 come, 1 cannot". Sessions of which nobody has
// answered are left out. nil stands for all sessions of the event.
func (p *Programme) ComingOf(ctx context.Context, ids []string) (map[string]string, error) {
	var rows []struct {
		ID              string
		Come, Cannot, N int64
	}
	query := p.Read(ctx).Table("sessions").Joins("JOIN participants p ON p.event_id = sessions.event_id AND p.session_id = sessions.id").
		Where("sessions.event_id = ? AND sessions.deleted_at IS NULL", p.event.ID).
		Where("EXISTS (SELECT 1 FROM participations y WHERE y.event_id = sessions.event_id)")
	if ids != nil {
		query = query.Where("sessions.id IN ?", ids)
	}
	says := func(answer string) string {
		return "sum(CASE WHEN EXISTS (SELECT 1 " + answered + " AND x.contact_id = p.contact_id AND x.answer = '" + answer +
			"') THEN 1 ELSE 0 END)"
	}
	err := query.Select("sessions.id, count(*) AS n, " + says("yes") + " AS come, " + says("no") + " AS cannot").
		Group("sessions.id").Scan(&rows).Error
	words := map[string]string{}
	for _, row := range rows {
		if row.Come+row.Cannot > 0 {
			words[row.ID] = comingSaid(row.Come, row.Cannot, row.N-row.Come-row.Cannot)
		}
	}
	return words, err
}

func comingSaid(come, cannot, silent int64) string {
	if come+cannot+silent == 1 {
		for i, n := range []int64{come, cannot, silent} {
			if n == 1 {
				return comingWords[i].words
			}
		}
	}
	var said []string
	for _, x := range []struct {
		n    int64
		one  string
		many string
	}{{come, "comes", "come"}, {cannot, "cannot", "cannot"}, {silent, "has not answered", "have not answered"}} {
		if x.n == 1 {
			said = append(said, "1 "+x.one)
		} else if x.n > 1 {
			said = append(said, fmt.Sprint(x.n, " ", x.many))
		}
	}
	return strings.Join(said, ", ")
}

// PeopleComing returns, by contact id, whether people come to the event, in words. People who have not answered are
// left out.
func (p *Programme) PeopleComing(ctx context.Context, contactIDs []string) (map[string]string, error) {
	var rows []struct {
		ContactID    string
		Come, Cannot int64
	}
	err := p.Read(ctx).Table("participations").Where("event_id = ? AND contact_id IN ?", p.event.ID, contactIDs).
		Select("contact_id, sum(CASE WHEN answer = 'yes' THEN 1 ELSE 0 END) AS come, " +
			"sum(CASE WHEN answer = 'no' THEN 1 ELSE 0 END) AS cannot").Group("contact_id").Scan(&rows).Error
	words := map[string]string{}
	for _, row := range rows {
		words[row.ContactID] = comingSaid(min(row.Come, 1), min(row.Cannot, 1), 0)
	}
	return words, err
}

// StrongerRole returns whichever of two roles comes first in ParticipantRoles.
func StrongerRole(a, b Role) Role {
	if slices.Index(ParticipantRoles, b) < slices.Index(ParticipantRoles, a) {
		return b
	}
	return a
}
