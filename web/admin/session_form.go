package admin

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

// sessionForm is the editor's form. Times, answers and tags are kept as one text
// too, so that all fields compare alike.
type sessionForm struct {
	pages.SessionForm
	starts, ends, tags, answers string
}

// sessionFields are the fields of the form: the name in the form, the label, and
// where the value is.
var sessionFields = []struct {
	name, label string
	at          func(*sessionForm) *string
	words       func(value string, rows map[string]string, zone *time.Location) string
}{
	{"title", "Title", func(f *sessionForm) *string { return &f.Title }, asItIs},
	{"description", "Description", func(f *sessionForm) *string { return &f.Description }, asRead},
	{"status", "Status", func(f *sessionForm) *string { return &f.Status }, func(v string, _ map[string]string, _ *time.Location) string { return components.StatusName(v) }},
	{"track_id", "Track", func(f *sessionForm) *string { return &f.Track }, rowName},
	{"format_id", "Format", func(f *sessionForm) *string { return &f.Format }, rowName},
	{"level_id", "Level", func(f *sessionForm) *string { return &f.Level }, rowName},
	{"starts_at", "Start", func(f *sessionForm) *string { return &f.starts }, clockShown},
	{"ends_at", "End", func(f *sessionForm) *string { return &f.ends }, clockShown},
	{"room_id", "Room", func(f *sessionForm) *string { return &f.Room }, rowName},
	{"capacity", "Capacity", func(f *sessionForm) *string { return &f.Capacity }, asItIs},
	{"tag_ids", "Tags", func(f *sessionForm) *string { return &f.tags }, rowName},
	{"custom_fields", "Answers", func(f *sessionForm) *string { return &f.answers }, answerWords},
}

// asRead is a text line by line, without its markup.
func asRead(v string, _ map[string]string, _ *time.Location) string {
	var lines []string
	for _, line := range lineEnds.Split(models.Paragraphs(v), -1) {
		if line = models.PlainText(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

var lineEnds = regexp.MustCompile(`(?i)</(?:p|li|h[1-6]|div|blockquote|pre|tr)>|<br\s*/?>`)

func asItIs(v string, _ map[string]string, _ *time.Location) string { return v }

func clockShown(v string, _ map[string]string, zone *time.Location) string {
	return clockWords(v, zone)
}

func rowName(v string, rows map[string]string, _ *time.Location) string {
	var names []string
	for _, id := range strings.Fields(v) {
		names = append(names, rows[id])
	}
	return strings.Join(names, ", ")
}

func answerWords(v string, _ map[string]string, _ *time.Location) string {
	var answers []models.Answer
	json.Unmarshal([]byte(v), &answers)
	var lines []string
	for _, a := range answers {
		lines = append(lines, a.Key+": "+a.Value)
	}
	return strings.Join(lines, "\n")
}

// tie makes one text of each field that is more than one.
func (f *sessionForm) tie() {
	f.starts, f.ends = clockText(f.Starts, f.StartsWhich), clockText(f.Ends, f.EndsWhich)
	slices.Sort(f.Tags)
	f.tags = strings.Join(f.Tags, " ")
	b, err := json.Marshal(f.Answers)
	if err != nil || len(f.Answers) == 0 {
		b = nil
	}
	f.answers = string(b)
}

// untie is tie the other way round, for a form put together field by field.
func (f *sessionForm) untie() {
	f.Starts, f.StartsWhich, _ = strings.Cut(f.starts, "#")
	f.Ends, f.EndsWhich, _ = strings.Cut(f.ends, "#")
	f.Tags, f.Answers = strings.Fields(f.tags), nil
	json.Unmarshal([]byte(f.answers), &f.Answers)
}

// formOf is what the form of a session shows.
func formOf(s *models.Session, zone *time.Location) sessionForm {
	id := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	f := sessionForm{SessionForm: pages.SessionForm{
		Title: s.Title, Description: s.Description, Status: string(s.Status), Track: id(s.TrackID), Format: id(s.FormatID), Level: id(s.LevelID), Room: id(s.RoomID),
		Answers: s.CustomFields, Token: s.UpdatedAt.String(),
	}}
	f.Starts, f.StartsWhich = clockOf(s.StartsAt, zone)
	f.Ends, f.EndsWhich = clockOf(s.EndsAt, zone)
	if s.Capacity != nil {
		f.Capacity = strconv.Itoa(*s.Capacity)
	}
	for _, tag := range s.Tags {
		f.Tags = append(f.Tags, tag.ID)
	}
	f.tie()
	return f
}

// sessionForm reads the form that was sent. A field that it does not have, such
// as the room of a submission, is as it was.
func (v *visit) sessionForm(was sessionForm) sessionForm {
	f := sessionForm{SessionForm: pages.SessionForm{
		Title: v.value("title"), Description: strings.ReplaceAll(v.FormValue("description"), "\r\n", "\n"), Status: v.value("status"),
		Track: v.value("track_id"), Format: v.value("format_id"), Level: v.value("level_id"), Room: v.value("room_id"),
		Capacity: v.value("capacity"), Token: v.value("updated_at"),
	}}
	f.Starts, f.StartsWhich = v.clock("starts_at")
	f.Ends, f.EndsWhich = v.clock("ends_at")
	// A choice between two sets of tags sends one value for the whole set.
	f.Tags = strings.Fields(strings.Join(v.values("tag_ids"), " "))
	if chosen := v.FormValue("custom_fields"); chosen != "" {
		json.Unmarshal([]byte(chosen), &f.Answers)
	}
	keys, values := v.values("answer_key"), v.values("answer_value")
	for i := range min(len(keys), len(values)) {
		if key, value := strings.TrimSpace(keys[i]), strings.ReplaceAll(values[i], "\r\n", "\n"); key != "" || strings.TrimSpace(value) != "" {
			f.Answers = append(f.Answers, models.Answer{Key: key, Value: value})
		}
	}
	f.tie()
	for _, field := range sessionFields[:len(sessionFields)-2] { // without tags and answers: to have none is to send none
		if !v.Request().PostArgs().Has(field.name) {
			*field.at(&f) = *field.at(&was)
		}
	}
	f.untie()
	return f
}

// encode keeps the form as it was opened, so that a save changes what was
// changed in it and nothing else.
func (f sessionForm) encode() string {
	values := map[string]string{}
	for _, field := range sessionFields {
		values[field.name] = *field.at(&f)
	}
	b, _ := json.Marshal(values)
	return string(b)
}

func decodeForm(text string) (sessionForm, error) {
	var values map[string]string
	var f sessionForm
	if err := json.Unmarshal([]byte(text), &values); err != nil {
		return f, err
	}
	for _, field := range sessionFields {
		*field.at(&f) = values[field.name]
	}
	return f, nil
}

// change is what the form changes of what it showed.
func (f sessionForm) change(was sessionForm, zone *time.Location) (models.SessionChange, components.Faults) {
	var c models.SessionChange
	var faults components.Faults
	set := func(now, before string, to *models.Optional[string]) {
		if now != before {
			to.Set = true
			to.Value = optional(now)
		}
	}
	clock := func(name, now, before string, to *models.Optional[models.Time]) {
		var err error
		*to, err = movedClock(name, now, before, zone)
		faults = append(faults, faultsOf(err)...)
	}
	if f.Title != was.Title {
		c.Title = &f.Title
	}
	if f.Description != was.Description {
		c.Description = new(models.Paragraphs(f.Description))
	}
	if f.Status != was.Status {
		c.Status = new(models.Status(f.Status))
	}
	set(f.Track, was.Track, &c.TrackID)
	set(f.Format, was.Format, &c.FormatID)
	set(f.Level, was.Level, &c.LevelID)
	set(f.Room, was.Room, &c.RoomID)
	clock("starts_at", f.starts, was.starts, &c.StartsAt)
	clock("ends_at", f.ends, was.ends, &c.EndsAt)
	if f.Capacity != was.Capacity {
		c.Capacity.Set = true
		if f.Capacity != "" {
			n, err := strconv.Atoi(f.Capacity)
			if err != nil {
				faults = append(faults, components.Fault{Field: "capacity", Message: "must be a whole number"})
			}
			c.Capacity.Value = &n
		}
	}
	if f.tags != was.tags {
		ids := slices.Clone(f.Tags)
		if ids == nil {
			ids = []string{}
		}
		c.TagIDs = &ids
	}
	if f.answers != was.answers {
		answers := models.AnswersInput(f.Answers)
		if answers == nil {
			answers = models.AnswersInput{}
		}
		c.CustomFields = &answers
	}
	if f.Token != "" {
		token, err := models.ParseTime(f.Token)
		if err != nil {
			faults = append(faults, components.Fault{Field: "updated_at", Message: "is damaged; reload the page"})
		}
		c.UpdatedAt = &token
	}
	return c, faults
}
