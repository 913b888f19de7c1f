package api

import (
	"context"

	"lectern/models"
	"lectern/models/people"
)

// ContactSearch is the body of a search of the event's people.
type ContactSearch struct {
	Filters *ContactFilters `json:"filters,omitempty"`
	BodyPaging
}

// ContactFilters narrow people; all given filters must match.
type ContactFilters struct {
	Text     *string `json:"text,omitempty" maxLength:"200" doc:"Words of name, address or company, found as in a search for speakers"`
	Speaking *bool   `json:"speaking,omitempty" doc:"true = on a live session, false = on none"`
}

type searchContactsInput struct {
	InEvent
	Paging
	Body ContactSearch
}

// OfContact is the path of one person of the event.
type OfContact struct {
	InEvent
	ContactID string `path:"contactId" doc:"Contact id"`
}

// ContactFieldsInput holds the fields of a contact that a request may write; fields left out stay unchanged.
type ContactFieldsInput struct {
	Email       *string `json:"email,omitempty" required:"false" nullable:"false" doc:"Nobody else may have it"`
	FirstName   *string `json:"first_name,omitempty" required:"false" nullable:"false" doc:"First or last name is needed"`
	LastName    *string `json:"last_name,omitempty" required:"false" nullable:"false"`
	CompanyName *string `json:"company_name,omitempty" required:"false" nullable:"false"`
	JobTitle    *string `json:"job_title,omitempty" required:"false" nullable:"false"`
	Phone       *string `json:"phone,omitempty" required:"false" nullable:"false" doc:"At most 50 characters"`
	WebsiteURL  *string `json:"website_url,omitempty" required:"false" nullable:"false"`
	LinkedinURL *string `json:"linkedin_url,omitempty" required:"false" nullable:"false"`
	About       *string `json:"about,omitempty" required:"false" nullable:"false" doc:"HTML, sanitised on the way in"`
}

// values returns the given fields, by their names in models.ContactFields.
func (c *ContactFieldsInput) values() map[string]string {
	given := map[string]string{}
	for name, value := range map[string]*string{
		"email": c.Email, "first_name": c.FirstName, "last_name": c.LastName, "company_name": c.CompanyName,
		"job_title": c.JobTitle, "phone": c.Phone, "website_url": c.WebsiteURL, "linkedin_url": c.LinkedinURL,
		"about": c.About,
	} {
		if value != nil {
			given[name] = *value
		}
	}
	return given
}

// ContactCreate is the body of a create.
type ContactCreate struct{ ContactFieldsInput }

// ContactUpdate is the body of an update: the fields to change.
type ContactUpdate struct {
	ContactFieldsInput
	Token
}

type createContactInput struct {
	InEvent
	Body ContactCreate
}

type updateContactInput struct {
	OfContact
	Body ContactUpdate
}

func (a *API) searchContacts(ctx context.Context, who *caller,
	in *searchContactsInput) (*list[*models.SpeakerRecord], error) {
	q := people.Search{Page: in.Body.or(in.Paging), NoValues: true}
	if f := in.Body.Filters; f != nil {
		q.Filter = people.Filter{Text: textOf(f.Text), Speaking: f.Speaking}
	}
	found, pagination, err := people.In(who.Directory()).Search(ctx, q)
	if err != nil {
		return nil, err
	}
	records, err := who.RecordsOf(ctx, found...)
	return &list[*models.SpeakerRecord]{records, pagination}, err
}

func (a *API) getContact(ctx context.Context, who *caller, in *OfContact) (*models.SpeakerRecord, error) {
	return who.record(ctx)(who.Directory().Person(ctx, in.ContactID))
}

func (a *API) createContact(ctx context.Context, who *caller, in *createContactInput) (*models.SpeakerRecord, error) {
	return who.record(ctx)(people.In(who.Directory()).Create(ctx, people.Change{Values: in.Body.values()}))
}

func (a *API) updateContact(ctx context.Context, who *caller, in *updateContactInput) (*models.SpeakerRecord, error) {
	return who.record(ctx)(people.In(who.Directory()).Update(ctx, in.ContactID,
		people.Change{Values: in.Body.values(), UpdatedAt: in.Body.UpdatedAt}))
}

// record returns a function that turns a person into their record.
func (c *caller) record(ctx context.Context) func(*models.Person, error) (*models.SpeakerRecord, error) {
	return func(person *models.Person, err error) (*models.SpeakerRecord, error) {
		if err != nil {
			return nil, err
		}
		records, err := c.RecordsOf(ctx, person)
		return records[0], err
	}
}

// TextSearch is the body of a search by text only.
type TextSearch struct {
	Filters *TextFilters `json:"filters,omitempty"`
	BodyPaging
}

// TextFilters narrow results by text.
type TextFilters struct {
	Near *bool   `json:"near,omitempty" doc:"true = forgive typing errors: a word of five letters or more may have one letter too many, missing, wrong, or swapped with the next. Names alone are searched then"`
	Text *string `json:"text,omitempty" maxLength:"200" doc:"Words that must all match, in any order, each a part of what is searched, whatever the case and accents. Words in double quotes stay together"`
}

func (t *TextSearch) text() string {
	if t.Filters == nil || t.Filters.Text == nil {
		return ""
	}
	return *t.Filters.Text
}

func (t *TextSearch) near() bool { return t.Filters != nil && t.Filters.Near != nil && *t.Filters.Near }

type textSearchInput struct {
	InEvent
	Paging
	Body TextSearch
}

func (a *API) searchSpeakers(ctx context.Context, who *caller, in *textSearchInput) (*list[*models.Speaker], error) {
	search := who.Speakers
	if in.Body.near() {
		search = who.SpeakersNear
	}
	speakers, pagination, err := search(ctx, in.Body.text(), in.Body.or(in.Paging))
	return &list[*models.Speaker]{speakers, pagination}, err
}

func (a *API) getSpeaker(ctx context.Context, who *caller, in *OfContact) (*models.SpeakerRecord, error) {
	return who.Speaker(ctx, in.ContactID)
}

type listEventsInput struct{ Paging }

func (a *API) listEvents(_ context.Context, who *caller, in *listEventsInput) (*list[*models.Event], error) {
	page := in.page()
	results := []*models.Event{who.Event()}
	if page.Number > 1 {
		results = []*models.Event{}
	}
	return &list[*models.Event]{results, page.Of(1)}, nil
}
