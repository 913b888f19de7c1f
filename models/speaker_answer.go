package models

import (
	"strings"

	"gorm.io/gorm"

	"lectern/models/field"
	"lectern/models/store"
)

// SpeakerAnswer is what somebody answered of a question that the call of an event asks of each speaker. Package cfp
// writes it. It belongs to the contact at the event: none of the API's projections has it.
type SpeakerAnswer struct {
	EventID, QuestionID, ContactID string
	Value                          string // as own fields keep theirs
	Search                         string
	FileID                         *string // the value of one that is a file
}

// Index updates the search text; for a file that is its name.
func (a *SpeakerAnswer) Index(file *File) {
	a.FileID, a.Search = nil, store.Searchable(strings.Split(a.Value, "\n")...)
	if file != nil {
		a.FileID, a.Search = &file.ID, store.Searchable(file.Name)
	}
}

// askedFields are the questions that the event of the handle asks of each speaker, as fields of its people: in the order
// of the form, and behind that those that were taken out of it.
func (d *Directory) askedFields(db *gorm.DB) (fields []*ContactField, err error) {
	if d.event == nil {
		return nil, nil
	}
	var questions []struct {
		ID, Label, Help string
		Type            field.Type
		Options         []struct{ Value string } `gorm:"serializer:json"`
		IsOpen          bool
	}
	err = db.Table("call_questions q").Joins("LEFT JOIN call_parts p ON p.event_id = q.event_id AND p.id = q.part_id").
		Select("q.id, q.label, q.help, q.type, q.options, q.is_open").
		Where("q.event_id = ? AND q.asked_of = 'speaker'", d.event.ID).
		Order("CASE WHEN p.id IS NULL THEN 1 ELSE 0 END, p.position, q.position, q.key").Find(&questions).Error
	for _, q := range questions {
		definition := field.Definition{Key: q.ID, Label: q.Label, Help: q.Help, Type: q.Type}
		for _, o := range q.Options {
			definition.Options = append(definition.Options, o.Value)
		}
		fields = append(fields, &ContactField{Definition: definition, Part: Answered, IsOpen: q.IsOpen,
			get: func(p *Person) string { return p.Answers[definition.Key] }})
	}
	return fields, err
}

// told apart from other fields of one name: people of a file would take one for the other.
func apart(asked, others []*ContactField) []*ContactField {
	for _, f := range asked {
		for _, other := range others {
			if store.Searchable(other.Label) == store.Searchable(f.Label) {
				f.Label += " (answer)"
				break
			}
		}
	}
	return asked
}

// ForgetAnswers deletes rows of answers of speakers, with their files.
func ForgetAnswers(tx *store.Tx, organizationID, condition string, values ...any) error {
	var keys []string
	if err := tx.Table("speaker_answers a").Joins("JOIN files f ON f.id = a.file_id").Where(condition, values...).
		Order("f.key").Pluck("f.key", &keys).Error; err != nil {
		return err
	}
	err := tx.Exec("DELETE FROM speaker_answers AS a WHERE "+condition, values...).Error
	for i := 0; err == nil && i < len(keys); i++ {
		err = DropFile(tx, organizationID, keys[i])
	}
	return err
}
