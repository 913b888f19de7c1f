package models

import (
	"context"

	"gorm.io/gorm"

	"lectern/models/store"
)

// GroupCount is how many sessions have one status, or one row of metadata.
type GroupCount struct {
	ID    *string `json:"id" doc:"Id of the row; null of a status, and of sessions that have none"`
	Name  *string `json:"name" doc:"The status, or the name of the row; null of sessions that have none"`
	Count int64   `json:"count"`
}

// SessionGroups are what sessions can be counted by.
var SessionGroups = []string{"status", "track", "room", "format", "level"}

// groupFamilies are the rows of these groups but for the status.
var groupFamilies = map[string]Family{"track": Tracks, "room": Rooms, "format": Formats, "level": Levels}

// CountSessions counts the sessions that pass a filter by their status or a family of metadata: all that the event has,
// zeros too, in their order, and last those without one, if there are any. It answers Invalid for a filter that breaks
// a rule, and for another group.
func (p *Programme) CountSessions(ctx context.Context, f SessionFilter, by string) ([]GroupCount, error) {
	family, column := groupFamilies[by], by+"_id"
	if by == "status" {
		column = by
	} else if family == "" {
		return nil, store.Invalidf("by", "must be one of status, track, room, format, level")
	}
	q := SessionSearch{Filter: f}
	if err := p.cleanSearch(ctx, &q); err != nil {
		return nil, err
	}
	var rows []struct {
		Has   string
		Count int64
	}
	db := p.read(ctx)
	if err := p.filter(db.Model(&Session{}), &q.Filter).Select("coalesce(" + column + ", '') AS has, count(*) AS count").
		Group(column).Scan(&rows).Error; err != nil {
		return nil, err
	}
	counts := map[string]int64{}
	for _, row := range rows {
		counts[row.Has] = row.Count
	}
	groups, err := p.groups(db, family, counts)
	if without := counts[""]; without > 0 {
		groups = append(groups, GroupCount{Count: without})
	}
	return groups, err
}

// groups are the statuses, or the rows of a family, with their counts. Rows are read after they were counted, lest one
// that is new be missed.
func (p *Programme) groups(db *gorm.DB, family Family, counts map[string]int64) ([]GroupCount, error) {
	groups := []GroupCount{}
	if family == "" {
		for _, status := range Statuses {
			groups = append(groups, GroupCount{Name: new(string(status)), Count: counts[string(status)]})
		}
		return groups, nil
	}
	set, err := p.LoadMetadata(db)
	for _, m := range set.of(family) {
		groups = append(groups, GroupCount{&m.ID, &m.Name, counts[m.ID]})
	}
	return groups, err
}

// EventOverview is where an event stands, in numbers that are those of the searches: of live sessions, drafts among them.
type EventOverview struct {
	Name        string        `json:"name" doc:"Of the event"`
	Timezone    string        `json:"timezone" doc:"IANA time-zone name; the days are of it"`
	StartsOn    *string       `json:"starts_on" doc:"First day of the event, YYYY-MM-DD"`
	EndsOn      *string       `json:"ends_on" doc:"Last day of the event, YYYY-MM-DD"`
	Submissions KindOverview  `json:"submissions"`
	Sessions    KindOverview  `json:"sessions" doc:"Programme sessions"`
	Unscheduled int64         `json:"unscheduled" doc:"Programme sessions without a start"`
	Unpublished int64         `json:"unpublished" doc:"Programme sessions that are not public"`
	Days        []DaySessions `json:"days" nullable:"false" doc:"The days of the event, and any other on which sessions start"`
	Speakers    int64         `json:"speakers" doc:"People who are on a session or submission"`
	Conflicts   int           `json:"conflicts" doc:"Collisions of the agenda, each once"`
}

// KindOverview is how many submissions, or programme sessions, there are.
type KindOverview struct {
	Total    int64        `json:"total"`
	ByStatus []GroupCount `json:"by_status" nullable:"false"`
	ByTrack  []GroupCount `json:"by_track" nullable:"false"`
}

// DaySessions is a day with how many programme sessions start on it.
type DaySessions struct {
	Day      string `json:"day" doc:"YYYY-MM-DD"`
	Sessions int64  `json:"sessions"`
}

// Overview counts where the event stands.
func (p *Programme) Overview(ctx context.Context) (*EventOverview, error) {
	o := &EventOverview{Name: p.event.Name, Timezone: p.event.Timezone, StartsOn: p.event.StartsOn, EndsOn: p.event.EndsOn,
		Days: []DaySessions{}}
	reads := store.Together(ctx)
	// Each goroutine fills its own fields.
	reads.Go(func() (err error) { o.Submissions, err = p.kindOverview(ctx, true); return err })
	reads.Go(func() (err error) { o.Sessions, err = p.kindOverview(ctx, false); return err })
	reads.Go(func() (err error) { o.Speakers, err = p.speakersWithDrafts(ctx); return err })
	reads.Go(func() error {
		days, err := p.SessionDays(ctx, SessionFilter{IsAbstract: new(false)})
		if err != nil {
			return err
		}
		o.Unscheduled, o.Unpublished = days.Unplaced, days.Total-days.Public
		for _, day := range days.Days {
			o.Days = append(o.Days, DaySessions{day.Day, day.Count})
		}
		return nil
	})
	reads.Go(func() error {
		conflicts, err := p.AgendaConflicts(ctx)
		if err == nil {
			o.Conflicts = len(conflicts.All)
		}
		return err
	})
	return o, reads.Wait()
}

func (p *Programme) kindOverview(ctx context.Context, isAbstract bool) (k KindOverview, err error) {
	of := SessionFilter{IsAbstract: &isAbstract}
	if k.ByStatus, err = p.CountSessions(ctx, of, "status"); err != nil {
		return k, err
	}
	for _, group := range k.ByStatus {
		k.Total += group.Count
	}
	k.ByTrack, err = p.CountSessions(ctx, of, "track")
	return k, err
}
