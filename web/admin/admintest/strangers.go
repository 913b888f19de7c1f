package admintest

import (
	"context"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/store"
)

// Stranger makes another organization with an event, a key and an endpoint.
func Stranger(d *Desk) (event *models.Event, key *apikey.Key, endpoint *outbox.Endpoint) {
	d.T.Helper()
	ctx := context.Background()
	db := d.SQL
	id := store.NewID()
	modelstest.Must(db.Exec("INSERT INTO organizations (id, name, created_at, updated_at) VALUES ('" + id +
		"', 'Strangers', '2099-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z')"))(d.T)
	modelstest.Must(db.Exec("UPDATE events SET organization_id = '" + id + "' WHERE id = '" + d.Other.ID + "'"))(d.T)
	key, _, err := apikey.Of(d.Elsewhere()).Create(ctx, apikey.New{Name: "theirs", Scopes: apikey.Scopes})
	modelstest.Fine(d.T, err)
	endpoint, _, err = d.Store.Outbox.Webhooks(d.Store.Organization(id, store.By{Door: "cli", ActorName: "them"})).
		CreateEndpoint(ctx, "https://strangers.example/hook")
	modelstest.Fine(d.T, err)
	return d.Other, key, endpoint
}

// StrangersEvent makes an event of another organization and returns its id.
func (d *Desk) StrangersEvent() string {
	d.T.Helper()
	organization, event := store.NewID(), store.NewID()
	for _, statement := range []string{
		"INSERT INTO organizations (id, name, created_at, updated_at) SELECT '" + organization +
			"', 'Strangers', created_at, updated_at FROM organizations",
		"INSERT INTO events (id, organization_id, name, slug, timezone, created_at, updated_at) SELECT '" + event + "', '" +
			organization + "', 'Strange', 'strange', 'UTC', created_at, updated_at FROM events WHERE id = '" + d.Event.ID + "'",
		"INSERT INTO event_counters VALUES ('" + event + "', 0, 0, 0, 0, 0, 0)",
	} {
		modelstest.Must(d.SQL.Exec(statement))(d.T)
	}
	return event
}
