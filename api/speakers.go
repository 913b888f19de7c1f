package api

import (
	"context"

	"lectern/models"
)

// TextSearch is the body of a search by text only.
type TextSearch struct {
	Filters *TextFilters `json:"filters,omitempty"`
	BodyPaging
}

// TextFilters narrow results by text.
type TextFilters struct {
	Near *bool   `json:"near,omitempty" doc:"true = for who may have mistyped: words of the name alone, of which one of five letters or more may have a letter too many, missing, wrong, or changed with the next"`
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
