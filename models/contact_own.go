package models

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models/field"
	"lectern/models/store"
)

// OwnField is a field of people that the organization defines.
type OwnField struct {
	Key            string // its id
	OrganizationID string
	Label          string
	LabelKey       string
	Help           string
	Type           field.Type
	Options        Options
	IsOpen         bool // everybody who sees the people of an event reads it, and not organizers alone
	Position       int
	CreatedAt      store.Time
	UpdatedAt      store.Time
}

// TableName is that of fields of contacts.
func (OwnField) TableName() string { return "contact_fields" }

// Options are what can be chosen, or other texts in an order, kept as JSON.
type Options []string

// Value is the JSON of the options.
func (o Options) Value() (driver.Value, error) {
	text, err := json.Marshal([]string(o))
	return string(text), err
}

// Scan reads what Value made.
func (o *Options) Scan(v any) error {
	switch v := v.(type) {
	case string:
		return json.Unmarshal([]byte(v), (*[]string)(o))
	case []byte:
		return json.Unmarshal(v, (*[]string)(o))
	}
	return fmt.Errorf("cannot read options from %T", v)
}

// GormDataType keeps gorm from taking the texts for rows.
func (Options) GormDataType() string { return "text" }

func (f *OwnField) definition() field.Definition {
	return field.Definition{Key: f.Key, Label: f.Label, Help: f.Help, Type: f.Type, Options: f.Options}
}

// OwnFields are the fields that the organization defines, in their order.
func (d *Directory) OwnFields(ctx context.Context) ([]*OwnField, error) {
	return d.DefinedFields(d.Read(ctx))
}

// DefinedFields are the fields that the organization defines, in their order.
func (d *Directory) DefinedFields(db *gorm.DB) (all []*OwnField, err error) {
	return all, db.Where("organization_id = ?", d.ID).Order("position, key").Find(&all).Error
}

// Fields are all facts of people that may be read here: those of everybody, then the organization's own, and at an
// event the answers to what it asks of each speaker.
func (d *Directory) Fields(ctx context.Context) ([]*ContactField, error) {
	fields, err := d.fields(d.Read(ctx))
	if d.organized != nil && len(*d.organized) == 0 {
		fields = slices.DeleteFunc(fields, (*ContactField).IsConfidential)
	}
	return fields, err
}

// fields are all facts of people.
func (d *Directory) fields(db *gorm.DB) ([]*ContactField, error) {
	defined, err := d.DefinedFields(db)
	if err != nil {
		return nil, err
	}
	fields := WithOwn(defined)
	asked, err := d.askedFields(db)
	return append(fields, apart(asked, fields)...), err
}

// WithOwn are the facts of everybody, with those that the organization defines behind.
func WithOwn(defined []*OwnField) []*ContactField {
	fields := slices.Clone(ContactFields)
	for _, f := range defined {
		one := own(f.definition())
		one.IsOpen = f.IsOpen
		fields = append(fields, one)
	}
	return fields
}

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

// askedFields are the questions that the event of the handle asks of each speaker, as fields of its people: in the
// order of the form, and behind that those that were taken out of it.
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
