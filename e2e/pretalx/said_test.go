package pretalx

import (
	"database/sql"
	"fmt"
	"html"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	_ "modernc.org/sqlite"

	"lectern/models/modelstest"
)

var aTag = regexp.MustCompile("<[^>]*>")

// words are what people read of a text, whichever way it is set.
func words(of any) string {
	text, _ := of.(string)
	return strings.Join(strings.Fields(html.UnescapeString(aTag.ReplaceAllString(text, " "))), " ")
}

// opinions are the reviews of a submission, as in "Reviewer 1: Depth 1, Fun 3; I think so".
func (m *move) opinions(id string) (all []string) {
	m.t.Helper()
	for _, r := range m.site.Ok(m.key, "GET", m.path+"/sessions/"+id+"/reviews", "")["results"].([]any) {
		r := r.(map[string]any)
		var scores []string
		for _, a := range r["answers"].([]any) {
			number, _, _ := strings.Cut(a.(map[string]any)["answer"].(string), " ")
			scores = append(scores, a.(map[string]any)["question"].(string)+" "+number)
		}
		slices.Sort(scores)
		all = append(all, fmt.Sprintf("%s: %s; %s", r["reviewer"], strings.Join(scores, ", "), words(r["comment"])))
	}
	return all
}

// people are those at the event, with what they say of themselves.
func (m *move) people() (all []person) {
	m.t.Helper()
	for _, who := range m.found("SELECT c.id || ' ' || c.full_name FROM event_contacts e JOIN contacts c ON c.id = e.contact_id") {
		id, name, _ := strings.Cut(who, " ")
		all = append(all, person{Name: name, About: words(m.found("SELECT about FROM contacts WHERE id = $1", id)[0]),
			Answers: m.found(`SELECT q.label || ': ' || CASE a.value WHEN 'yes' THEN 'Yes' WHEN 'no' THEN 'No' ELSE a.value END
				FROM speaker_answers a JOIN call_questions q ON q.id = a.question_id WHERE a.contact_id = $1`, id)})
	}
	return all
}

// questions are what submissions are asked, by the keys of the answers.
func (m *move) questions() map[string]string {
	m.t.Helper()
	all := map[string]string{}
	for _, q := range m.found("SELECT key || ' ' || label FROM call_questions") {
		key, label, _ := strings.Cut(q, " ")
		all[key] = label
	}
	return all
}

// labels are rooms, tracks, formats and tags with what is said of them, the weights of scores, and what is asked.
func (m *move) labels() (all []string) {
	m.t.Helper()
	for family, fact := range map[string]string{"room": "capacity", "track": "color", "format": "default_minutes", "tag": "none"} {
		for _, row := range m.site.Ok(m.key, "GET", m.path+"/"+family+"s", "")["results"].([]any) {
			row := row.(map[string]any)
			said := ""
			if row[fact] != nil {
				said = strings.ToLower(fmt.Sprint(row[fact]))
			}
			all = append(all, family+" "+row["name"].(string)+" "+said)
		}
	}
	all = append(all,
		m.found("SELECT 'weight ' || name || ' ' || weight FROM review_criteria WHERE weight IS NOT NULL")...)
	return append(all, m.found(`SELECT 'question ' || label || ' ' || coalesce((SELECT group_concat(o.value ->> 'value', ', ')
		FROM json_each(options) o), '') FROM call_questions WHERE removed_at IS NULL
		AND id IN (SELECT record_id FROM imported WHERE kind = 'question')`)...)
}

// slotsOf are the times of the sessions that came of a submission.
func (m *move) slotsOf(id string) []string {
	m.t.Helper()
	return m.found(`SELECT substr(s.starts_at, 1, 16) || ' ' || r.name FROM imported a
		JOIN imported i ON i.kind = 'session' AND (i.key = a.key OR i.key LIKE a.key || '#%')
		JOIN sessions s ON s.id = i.record_id JOIN metadata r ON r.id = s.room_id
		WHERE a.kind = 'abstract' AND a.record_id = $1 AND s.starts_at IS NOT NULL`, id)
}

// breaks are those of the event.
func (m *move) breaks() []string {
	m.t.Helper()
	return m.found(`SELECT substr(b.starts_at, 1, 16) || ' ' || r.name || ' ' || b.title FROM agenda_breaks b
		JOIN metadata r ON r.id = b.room_id WHERE b.deleted_at IS NULL`)
}

// found are the texts that a query finds.
func (m *move) found(query string, values ...any) (all []string) {
	m.t.Helper()
	db := modelstest.Must(sql.Open("sqlite", "file:"+filepath.Join(m.site.Data, "lectern.db")))(m.t)
	defer db.Close()
	rows := modelstest.Must(db.Query(query, values...))(m.t)
	defer rows.Close()
	for rows.Next() {
		var one string
		m.check(rows.Scan(&one))
		all = append(all, one)
	}
	m.check(rows.Err())
	return all
}
