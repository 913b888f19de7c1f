// The eleven commonest jobs of a program that talks to Lectern, with a client made by
//
//	curl -o openapi.json $LECTERN_URL/v1/openapi.json && go tool oapi-codegen -config oapi-codegen.yaml openapi.json
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"example.org/client/lectern"
)

var ctx = context.Background()

func main() {
	log.SetFlags(0)
	withKey := lectern.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("x-access-token", os.Getenv("LECTERN_KEY"))
		return nil
	})
	client, err := lectern.NewClientWithResponses(os.Getenv("LECTERN_URL"), withKey)
	if err != nil {
		log.Fatal(err)
	}
	j := jobs{client, ""}
	j.whoAmI()
	room, track := j.metadata()
	j.search()
	made := j.create(track)
	j.change(j.read(made.FriendlyId))
	j.refusals()
	j.bulk(made.Id)
	j.schedule(room)
	j.speakers()
	j.changes()
}

// jobs are done at one event.
type jobs struct {
	*lectern.ClientWithResponses
	event string
}

// 1. Who am I?
func (j *jobs) whoAmI() {
	key := ok(j.GetKeyWithResponse(ctx))
	j.event = key.Event.Id
	may := "reads"
	if slices.Contains(key.Scopes, "write:sessions") {
		may = "may write"
	}
	fmt.Printf("1 %s: %s\n", key.Event.Name, may)
}

// 2. List metadata.
func (j *jobs) metadata() (room, track string) {
	rooms := ok(j.ListRoomsWithResponse(ctx, j.event, nil)).Results
	tracks := ok(j.ListTracksWithResponse(ctx, j.event, nil)).Results
	fmt.Printf("2 %s, %s in %s\n", tracks[0].Name, tracks[1].Name, rooms[0].Name)
	return rooms[0].Id, tracks[0].Id
}

// 3. Search sessions with a filter, page by page, for their titles alone.
func (j *jobs) search() {
	var accepted lectern.SessionStatuses
	must(accepted.FromSessionStatus(lectern.Accepted))
	body := lectern.SessionSearch{
		Filters: &lectern.SessionFilters{IsAbstract: new(false), Status: &accepted},
		Sort:    &lectern.SessionSort{Order: new(lectern.SessionSortKeyStartsAt), Sort: new(lectern.Asc)},
		Fields:  &[]string{"title"},
	}
	var titles []string
	for page, pages := int64(1), int64(1); page <= pages; page++ {
		body.Page, body.PageSize = &page, new(int64(1))
		found := ok(j.SearchSessionsWithResponse(ctx, j.event, nil, body))
		pages = found.Pagination.TotalPages
		for _, session := range found.Results {
			titles = append(titles, session.Title)
		}
	}
	fmt.Printf("3 %s\n", strings.Join(titles, ", "))
}

// 4. Create a submission. The key makes it safe to send it again when no answer came.
func (j *jobs) create(track string) *lectern.Session {
	var answers lectern.CustomFields
	must(answers.FromAnswersByKey(lectern.AnswersByKey{"length": "30 minutes"}))
	once := &lectern.CreateSessionParams{IdempotencyKey: new("form-7-answer-1")}
	body := lectern.SessionCreate{
		Title: "What the tide tables left out", IsAbstract: new(true), TrackId: &track, CustomFields: &answers,
	}
	made := ok(j.CreateSessionWithResponse(ctx, j.event, once, body))
	again := ok(j.CreateSessionWithResponse(ctx, j.event, once, body))
	fmt.Printf("4 %s, %s\n", made.FriendlyId, map[bool]string{true: "once", false: "twice"}[made.Id == again.Id])
	return made
}

// 5. Read it, by its id or by its label.
func (j *jobs) read(label string) *lectern.Session {
	s := ok(j.GetSessionWithResponse(ctx, j.event, label, nil))
	fmt.Printf("5 %s: %s, %s, %s\n", s.Title, s.Status, s.Track.Name, s.CustomFields[0].Value)
	return s
}

// 6. Change it, unless somebody else did since it was read.
func (j *jobs) change(read *lectern.Session) {
	body := lectern.SessionUpdate{Status: new(lectern.AcceptQueue), UpdatedAt: &read.UpdatedAt}
	changed := ok(j.UpdateSessionWithResponse(ctx, j.event, read.Id, body))
	body.Status = new(lectern.Declined)
	late, err := j.UpdateSessionWithResponse(ctx, j.event, read.Id, body)
	must(err)
	fmt.Printf("6 %s; later %d %s\n", changed.Status, late.StatusCode(), late.JSON409.Error)
}

// 7. Read why something was refused: a stable name, words for a person, the faulty fields.
func (j *jobs) refusals() {
	missing, err := j.GetSessionWithResponse(ctx, j.event, "A-99", nil)
	must(err)
	faulty, err := j.CreateSessionWithResponse(ctx, j.event, nil, lectern.SessionCreate{})
	must(err)
	fmt.Printf("7 %d %s, %d %s of %s\n", missing.StatusCode(), missing.JSON404.Error, faulty.StatusCode(),
		faulty.JSON400.Error, (*faulty.JSON400.Details)[0].Field)
}

// 8. Create and change many at once; each item tells for itself how it went.
func (j *jobs) bulk(id string) {
	operations := make([]lectern.BulkOperation, 3)
	must(operations[0].FromBulkCreate(lectern.BulkCreate{
		Data: lectern.SessionCreate{Title: "Pumps", IsAbstract: new(true)},
	}))
	must(operations[1].FromBulkUpdate(lectern.BulkUpdate{
		Id: id, Data: lectern.SessionUpdate{Description: new("<p>A field report.</p>")},
	}))
	must(operations[2].FromBulkDelete(lectern.BulkDelete{Id: "A-99"}))
	batch := ok(j.BulkSessionsWithResponse(ctx, j.event,
		&lectern.BulkSessionsParams{IdempotencyKey: new("import-3")}, lectern.BulkRequest{Operations: operations}))
	fmt.Printf("8 %s, %s, %s\n", batch.Results[0].Status, batch.Results[1].Status, batch.Results[2].Error.Code)
}

// 9. Give a session a room and a time.
func (j *jobs) schedule(room string) {
	talk := ok(j.CreateSessionWithResponse(ctx, j.event, nil, lectern.SessionCreate{Title: "Opening"}))
	start := time.Date(2027, time.May, 14, 8, 0, 0, 0, time.UTC)
	placed := ok(j.UpdateSessionWithResponse(ctx, j.event, talk.Id, lectern.SessionUpdate{
		RoomId: &room, StartsAt: &start, EndsAt: new(start.Add(30 * time.Minute)),
	}))
	fmt.Printf("9 %s: %s, %s\n", placed.Title, placed.Room.Name, placed.StartsAt.Format("2006-01-02T15:04:05.000Z"))
}

// 10. Search speakers.
func (j *jobs) speakers() {
	found := ok(j.SearchSpeakersWithResponse(ctx, j.event, nil, lectern.TextSearch{
		Filters: &lectern.TextFilters{Text: new("lovelace")},
	}))
	fmt.Printf("10 %s\n", found.Results[0].FullName)
}

// 11. Keep a copy of what changes, here of rooms and tracks.
func (j *jobs) changes() {
	kinds := []lectern.ChangeKind{lectern.ChangeKindRoom, lectern.ChangeKindTrack}
	found := ok(j.ListChangesWithResponse(ctx, j.event, &lectern.ListChangesParams{Kinds: &kinds}))
	fmt.Printf("11 %d changes of %s, %s\n", len(found.Results), found.Kinds[0], found.Kinds[1])
}

// ok is the body of a success; a refusal ends the program, with the server's word for it.
func ok[T any](answer interface {
	GetJSON200() *T
	GetBody() []byte
}, err error) *T {
	must(err)
	if body := answer.GetJSON200(); body != nil {
		return body
	}
	var refusal lectern.Error
	must(json.Unmarshal(answer.GetBody(), &refusal))
	log.Fatalf("%s: %s", refusal.Error, refusal.Message)
	return nil
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
