package api

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/desk"
	"lectern/models/store"
)

// Key describes the request's own key.
type Key struct {
	Name      string         `json:"name"`
	Event     *models.Event  `json:"event" nullable:"false"`
	Scopes    []apikey.Scope `json:"scopes" nullable:"false"`
	ExpiresAt *store.Time    `json:"expires_at" doc:"null = never"`
}

func (a *API) getKey(_ context.Context, who *caller, _ *struct{}) (*Key, error) {
	key := &Key{Name: who.key.Name, Event: who.Event(), Scopes: []apikey.Scope{}, ExpiresAt: who.key.ExpiresAt}
	for _, scope := range strings.Fields(who.key.Scopes) {
		key.Scopes = append(key.Scopes, apikey.Scope(scope))
	}
	return key, nil
}

type ofEvent struct{ InEvent }

func (a *API) getOverview(ctx context.Context, who *caller, _ *ofEvent) (*desk.EventOverview, error) {
	o, err := desk.Of(who.Programme).Overview(ctx)
	if err == nil {
		for _, groups := range []*[]desk.GroupCount{&o.Submissions.ByTrack, &o.Sessions.ByTrack} {
			*groups = who.inUse(*groups)
		}
	}
	return o, err
}

// inUse removes rows that no session uses, for a key that may not read metadata.
func (who *caller) inUse(groups []desk.GroupCount) []desk.GroupCount {
	if who.key.Has(apikey.ReadMetadata) {
		return groups
	}
	return slices.DeleteFunc(groups, func(g desk.GroupCount) bool { return g.ID != nil && g.Count == 0 })
}

type countSessionsInput struct {
	InEvent
	Body SessionCount
}

// SessionCount is the body of a count.
type SessionCount struct {
	By      *string         `json:"by,omitempty" enum:"status,track,room,format,level" doc:"What to count by, default status"`
	Filters *SessionFilters `json:"filters,omitempty"`
}

// Counts are the numbers of sessions by a property.
type Counts struct {
	By     string            `json:"by"`
	Total  int64             `json:"total" doc:"All sessions that pass the filters: the sum"`
	Counts []desk.GroupCount `json:"counts" nullable:"false" doc:"In the order of the statuses or the rows, with zeros where the key reads metadata; sessions that have none come last"`
}

func (a *API) countSessions(ctx context.Context, who *caller, in *countSessionsInput) (*Counts, error) {
	var filter models.SessionFilter
	if in.Body.Filters != nil {
		filter = in.Body.Filters.filter()
	}
	by := cmp.Or(textOf(in.Body.By), "status")
	groups, err := desk.Of(who.Programme).CountSessions(ctx, filter, by)
	counts := &Counts{By: by, Counts: who.inUse(groups)}
	for _, group := range groups {
		counts.Total += group.Count
	}
	return counts, err
}
