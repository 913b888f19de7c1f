package api

import (
	"context"
	"slices"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/apikey"
	"lectern/models/store"
)

type listFreeInput struct {
	InEvent
	Paging
	Day     string `query:"day" required:"true" doc:"The date, YYYY-MM-DD, in the event's time zone"`
	From    string `query:"from" doc:"From this time on, such as 09:00; left out, from the first hour that the agenda uses"`
	Until   string `query:"until" doc:"Until this time, such as 18:00, or 24:00; left out, until the last hour that the agenda uses"`
	Minutes int    `query:"minutes" minimum:"1" maximum:"1440" doc:"How long it is free at least; left out, as long as the session, else 30, or less where the hours asked for are shorter"`
	Room    string `query:"room" doc:"This room alone, by id or name"`
	Session string `query:"session" doc:"A programme session that looks for a place, by id or label: its own place counts as free, and times at which its people are away or in other sessions as taken"`
}

// FreeDay says when rooms are free on a day.
type FreeDay struct {
	From       store.Time       `json:"from" doc:"Where the time that was looked at begins"`
	Until      store.Time       `json:"until" doc:"Where it ends"`
	Minutes    int              `json:"minutes" doc:"How long each free time is at least"`
	Results    []FreeRoom       `json:"results" nullable:"false" doc:"Rooms that are free for so long; a key that does not read metadata is told rooms of sessions alone"`
	Breaks     []DayBreak       `json:"breaks" nullable:"false" doc:"Breaks and blocked rooms of the whole day, by their starts; the room of each, or every room for one without, is not free then"`
	Away       []FreePerson     `json:"away" nullable:"false" doc:"People of the session who are away at some time of the day; that time counts as taken"`
	Capacity   *int             `json:"capacity" doc:"How many people the session expects; rooms with fewer seats are found too. null = nobody said"`
	Pagination store.Pagination `json:"pagination"`
}

// FreePerson is somebody who is away.
type FreePerson struct {
	ID   string `json:"id"`
	Name string `json:"full_name"`
}

// FreeRoom is a room with the times at which it is free.
type FreeRoom struct {
	Room models.Room `json:"room"`
	Free []FreeSpan  `json:"free" nullable:"false" doc:"By their starts"`
}

// DayBreak is a break with its room.
type DayBreak struct {
	BreakRow
	Room *string `json:"room" doc:"Its name; null = all rooms, or, for a key that does not read metadata, a room that no session has"`
}

// FreeSpan is a stretch of time.
type FreeSpan struct {
	From  store.Time `json:"from"`
	Until store.Time `json:"until"`
}

func (a *API) listFree(ctx context.Context, who *caller, in *listFreeInput) (*FreeDay, error) {
	id, err := who.SessionID(ctx, in.Session)
	if err != nil {
		return nil, err
	}
	day, err := agenda.Of(who.Programme).FreeRooms(ctx, agenda.FreeSearch{Day: in.Day, From: in.From, Until: in.Until,
		Minutes: in.Minutes, Room: in.Room, SessionID: id})
	if err != nil {
		return nil, err
	}
	rooms := slices.DeleteFunc(day.Rooms,
		func(r agenda.FreeRoom) bool { return !r.InUse && !who.key.Has(apikey.ReadMetadata) })
	page := pageOf(rooms, in.page())
	out := &FreeDay{day.From, day.Until, day.Minutes, []FreeRoom{}, make([]DayBreak, len(day.Breaks)), []FreePerson{},
		day.Seats, page.Pagination}
	for _, r := range page.Results {
		row := FreeRoom{Room: r.Room.AsRoom()}
		for _, s := range r.Spans {
			row.Free = append(row.Free, FreeSpan{s.From, s.Until})
		}
		out.Results = append(out.Results, row)
	}
	for _, p := range day.Away {
		out.Away = append(out.Away, FreePerson{p.ContactID, p.FullName})
	}
	for i, b := range day.Breaks {
		if out.Breaks[i].BreakRow = breakRow(b.Break); b.Room != nil && (b.InUse || who.key.Has(apikey.ReadMetadata)) {
			out.Breaks[i].Room = &b.Room.Name
		}
	}
	return out, nil
}
