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
	IsOpen         bool // whoever sees the event's people reads it, not organizers alone
	Position       int
	CreatedAt      store.Time
	UpdatedAt      store.Time
}

// TableName returns the name of the table of own fields.
func (OwnField) TableName() string { return "contact_fields" }

// Options is an ordered list of texts, such as choices, kept as JSON.
type Options []string

// Value returns the options as JSON.
func (o Options) Value() (driver.Value, error) {
	text, err := json.Marshal([]string(o))
	return string(text), err
}

// Scan reads what Value returned.
func (o *Options) Scan(v any) error {
	switch v := v.(type) {
	case string:
		return json.Unmarshal([]byte(v), (*[]string)(o))
	case []byte:
		return json.Unmarshal(v, (*[]string)(o))
	}
	return fmt.Errorf("cannot read options from %T", v)
}

// GormDataType keeps gorm from taking the texts for rows of another table.
func (Options) GormDataType() string { return "text" }

func (f *OwnField) definition() field.Definition {
	return field.Definition{Key: f.Key, Label: f.Label, Help: f.Help, Type: f.Type, Options: f.Options}
}

// OwnFields returns the fields that the organization defines, in their order.
func (d *Directory) OwnFields(ctx context.Context) ([]*OwnField, error) {
	return d.DefinedFields(d.Read(ctx))
}

// DefinedFields is OwnFields over a given connection or transaction.
func (d *Directory) DefinedFields(db *gorm.DB) (all []*OwnField, err error) {
	return all, db.Where("organization_id = ?", d.ID).Order("position, key").Find(&all).Error
}

// Fields returns the fields of people that this handle may read: those of everybody, then the organization's own and,
// at an event, the answers to what it asks of each speaker.
func (d *Directory) Fields(ctx context.Context) ([]*ContactField, error) {
	fields, err := d.fields(d.Read(ctx))
	if d.organized != nil && len(*d.organized) == 0 {
		fields = slices.DeleteFunc(fields, (*ContactField).IsConfidential)
	}
	return fields, err
}

// fields returns all fields of people, confidential ones too.
func (d *Directory) fields(db *gorm.DB) ([]*ContactField, error) {
	defined, err := d.DefinedFields(db)
	if err != nil {
		return nil, err
	}
	fields := WithOwn(defined)
	asked, err := d.askedFields(db)
	return append(fields, apart(asked, fields)...), err
}

// WithOwn returns the fields of every person, followed by those that the organization defines.
func WithOwn(defined []*OwnField) []*ContactField {
	fields := slices.Clone(ContactFields)
	for _, f := range defined {
		one := own(f.definition())
		one.IsOpen = f.IsOpen
		fields = append(fields, one)
	}
	return fields
}

// SpeakerAnswer is somebody's answer to a question that an event's call asks of each speaker. Package cfp writes it.
// It belongs to the contact at the event: none of the API's projections has it.
type SpeakerAnswer struct {
	EventID, QuestionID, ContactID string
	Value                          string // in the form of own fields' values
	Search                         string
	FileID                         *string // set if the value is a file
}

// Index updates the search text, which for a file is its name, and the file's id.
func (a *SpeakerAnswer) Index(file *File) {
	a.FileID, a.Search = nil, store.Searchable(strings.Split(a.Value, "\n")...)
	if file != nil {
		a.FileID, a.Search = &file.ID, store.Searchable(file.Name)
	}
}

// askedFields returns the questions that the handle's event asks of each speaker, as fields of its people: in the
// order of the form, followed by those that were taken out of it.
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

// apart marks the questions that have the label of another field: an import of people would confuse the two.
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

// ForgetAnswers deletes the speakers' answers that meet the condition on table a, with their files.
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
