package call

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models/field"
	"lectern/models/store"
)

// Answered counts the live submissions that answered a question, by the answers as they are stored: rows of tracks,
// formats and levels by their ids.
type Answered map[string]int

// Total returns the number of answers.
func (a Answered) Total() (n int) {
	for _, count := range a {
		n += count
	}
	return n
}

// Of returns how many answers contain a choice, alone or with others.
func (a Answered) Of(q *Question, value string) (n int) {
	for answer, count := range a {
		if slices.Contains(q.split(q.valueOf(answer)), value) {
			n += count
		}
	}
	return n
}

// Answered counts the answers to a question of the form, also a removed one; to a question of each speaker, by people.
// Biographies belong to people too and are not counted.
func (c *Call) Answered(ctx context.Context, q *Question) (Answered, error) {
	return c.answers(c.p.Read(ctx), q)
}

func (c *Call) answers(db *gorm.DB, q *Question) (Answered, error) {
	var rows []struct {
		Value string
		N     int
	}
	live := "FROM sessions %s WHERE event_id = ? AND is_abstract AND deleted_at IS NULL AND %s GROUP BY 1"
	values, event := "", c.p.Event().ID
	query := db
	switch {
	case q.Standard == Biography:
		return Answered{}, nil
	case q.AskedOf == OfSpeaker:
		query = c.ofSpeakers(db, q).Select("value, count(*) AS n").Group("value")
	case q.Family() != "":
		values = q.Family().Singular() + "_id"
		query = db.Raw("SELECT "+values+" AS value, count(*) AS n "+fmt.Sprintf(live, "", values+" IS NOT NULL"), event)
	case q.Standard != "":
		query = db.Raw("SELECT '' AS value, count(*) AS n "+fmt.Sprintf(live, "", string(q.Standard)+" <> ''"), event)
	case c.p.Embedded():
		query = db.Raw("SELECT json_extract(a.value, '$.value') AS value, count(*) AS n "+
			fmt.Sprintf(live, ", json_each(custom_fields) a", "json_extract(a.value, '$.key') = ?"), event, q.Key)
	default:
		query = db.Raw("SELECT a->>'value' AS value, count(*) AS n "+
			fmt.Sprintf(live, ", jsonb_array_elements(custom_fields::jsonb) a", "a->>'key' = ?"), event, q.Key)
	}
	err := query.Scan(&rows).Error
	answers := Answered{}
	for _, row := range rows {
		if q.AskedOf == OfSpeaker {
			row.Value = q.answerOf(row.Value)
		}
		if row.Value != "" || q.Standard != "" {
			answers[row.Value] += row.N
		}
	}
	return answers, err
}

// mayBecome answers Invalid for a change of a question that does not fit its answers.
func (f *Form) mayBecome(before, after *Question, answers Answered) error {
	if total := answers.Total(); before.AskedOf != after.AskedOf && total > 0 {
		return store.Invalidf("asked_of", "cannot change: %s here already, and who reads it must not change. Take this "+
			"question out and ask a new one", answersHave(total, "is", "are"))
	}
	if after.Type == before.Type {
		return nil
	}
	return f.retyped(before, after, answers)
}

// retyped answers Invalid if answers do not fit a question's new type.
func (f *Form) retyped(before, after *Question, answers Answered) error {
	total := answers.Total()
	if total > 0 && (before.Type == field.File || after.Type == field.File) {
		return store.Invalidf("type", "cannot change: %s and files cannot become each other. Take this question out "+
			"and ask a new one", answersHave(total, "is", "are"))
	}
	lost, such := 0, ""
	for _, answer := range slices.Sorted(maps.Keys(answers)) {
		if _, err := f.clean(after, after.valueOf(answer), ""); err != nil {
			lost, such = lost+answers[answer], cmp.Or(such, answer)
		}
	}
	if lost == 0 {
		return nil
	}
	if letters := []rune(such); len(letters) > 50 {
		such = string(letters[:50]) + "…"
	}
	return store.Invalidf("type", "cannot be “%s”: %s none, such as “%s”. Leave the type, or take this question out and "+
		"ask a new one", after.Type.Label(), answersHave(lost, "is", "are"), such)
}

// answersHave returns "1 answer keeps" or "14 answers keep".
func answersHave(n int, one, many string) string {
	if n == 1 {
		return "1 answer " + one
	}
	return fmt.Sprintf("%d answers %s", n, many)
}

// effects returns a sentence for each effect of a changed question on the existing answers.
func (f *Form) effects(before, after *Question, answers Answered) (effects []string) {
	total := answers.Total()
	if total == 0 {
		return nil
	}
	offered := func(value string) bool {
		return slices.ContainsFunc(f.Offered(after), func(o Offer) bool { return o.Value == value })
	}
	was, is := f.Offered(before), f.Offered(after)
	for i, choice := range was {
		n, now := answers.Of(before, choice.Value), after.named(choice.Value)
		switch {
		case n > 0 && now != choice.Value:
			effects = append(effects, after.renames(n, choice.Name, now))
		case n == 0 || !after.Type.HasOptions() || offered(choice.Value):
		case before.Family() == "" && len(was) == len(is):
			effects = append(effects, answersHave(n, "keeps", "keep")+" this choice’s old name, “"+choice.Name+"”; "+
				"new ones say “"+is[i].Name+"”.")
		default:
			effects = append(effects, answersHave(n, "keeps", "keep")+" “"+choice.Name+"”, which can no longer be chosen.")
		}
	}
	if before.Type != after.Type {
		effects = append(effects, answersHave(total, "stays as it was given.", "stay as they were given."))
	}
	if !sameCondition(before.AskedIf, after.AskedIf) && !after.AskedIf.IsZero() {
		effects = append(effects, answersHave(total, "stays",
			"stay")+", also of whoever is no longer asked, until they save again.")
	}
	return effects
}

// renames returns a sentence on n answers with a renamed choice.
func (q *Question) renames(n int, was, now string) string {
	if q.AskedOf == OfSpeaker {
		return answersHave(n, "says", "say") + " “" + now + "” now."
	}
	return answersHave(n, "keeps", "keep") + " this choice’s old name, “" + was + "”, until saved again, and " +
		map[bool]string{true: "counts", false: "count"}[n == 1] + " as “" + now + "”."
}

func sameCondition(a, b Condition) bool {
	return slices.Equal(a.Formats, b.Formats) && slices.Equal(a.Tracks, b.Tracks) && a.Question == b.Question &&
		slices.Equal(a.Answers, b.Answers)
}
