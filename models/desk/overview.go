package desk

import (
	"context"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/store"
)

// GroupCount is how many sessions have one status, or one row of metadata.
type GroupCount struct {
	ID    *string `json:"id" doc:"Id of the row; null of a status, and of sessions that have none"`
	Name  *string `json:"name" doc:"The status, or the name of the row; null of sessions that have none"`
	Count int64   `json:"count"`
}

// groupFamilies are the families by which sessions can be counted, besides their status.
var groupFamilies = map[string]models.Family{"track": models.Tracks, "room": models.Rooms, "format": models.Formats,
	"level": models.Levels}

// CountSessions counts the sessions that pass a filter by status or by a family of metadata: all rows of the event in
// their order, zeros too, and last those without one, if any. It answers Invalid for a filter that breaks a rule, and
// for an unknown group.
func (on *Desk) CountSessions(ctx context.Context, f models.SessionFilter, by string) ([]GroupCount, error) {
	family, column := groupFamilies[by], by+"_id"
	if by == "status" {
		column = by
	} else if family == "" {
		return nil, store.Invalidf("by", "must be one of status, track, room, format, level")
	}
	sessions, err := on.p.Passing(ctx, on.p.Read(ctx).Model(&models.Session{}), f)
	if err != nil {
		return nil, err
	}
	var rows []struct {
		Has   string
		Count int64
	}
	if err := sessions.Select("coalesce(" + column + ", '') AS has, count(*) AS count").
		Group(column).Scan(&rows).Error; err != nil {
		return nil, err
	}
	counts := map[string]int64{}
	for _, row := range rows {
		counts[row.Has] = row.Count
	}
	groups, err := on.groups(on.p.Read(ctx), family, counts)
	if without := counts[""]; without > 0 {
		groups = append(groups, GroupCount{Count: without})
	}
	return groups, err
}

// groups returns the statuses, or the rows of a family, with their counts. It reads the rows after they were counted,
// so that a new one is not missed.
func (on *Desk) groups(db *gorm.DB, family models.Family, counts map[string]int64) ([]GroupCount, error) {
	groups := []GroupCount{}
	if family == "" {
		for _, status := range models.Statuses {
			groups = append(groups, GroupCount{Name: new(string(status)), Count: counts[string(status)]})
		}
		return groups, nil
	}
	set, err := on.p.LoadMetadata(db)
	for _, m := range set.Of(family) {
		groups = append(groups, GroupCount{&m.ID, &m.Name, counts[m.ID]})
	}
	return groups, err
}

// EventOverview is where an event stands, in numbers that agree with the searches: of live sessions, drafts included.
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

// KindOverview is the numbers of submissions, or of programme sessions.
type KindOverview struct {
	Total    int64        `json:"total"`
	ByStatus []GroupCount `json:"by_status" nullable:"false"`
	ByTrack  []GroupCount `json:"by_track" nullable:"false"`
}

// DaySessions is a day with the number of programme sessions that start on it.
type DaySessions struct {
	Day      string `json:"day" doc:"YYYY-MM-DD"`
	Sessions int64  `json:"sessions"`
}

// Overview counts where the event stands.
func (on *Desk) Overview(ctx context.Context) (*EventOverview, error) {
	o := &EventOverview{Name: on.p.Event().Name, Timezone: on.p.Event().Timezone, StartsOn: on.p.Event().StartsOn,
		EndsOn: on.p.Event().EndsOn,
		Days:   []DaySessions{}}
	reads := store.Together(ctx)
	// Each goroutine fills its own fields.
	reads.Go(func() (err error) { o.Submissions, err = on.kindOverview(ctx, true); return err })
	reads.Go(func() (err error) { o.Sessions, err = on.kindOverview(ctx, false); return err })
	reads.Go(func() (err error) { o.Speakers, err = on.p.SpeakersWithDrafts(ctx); return err })
	reads.Go(func() error {
		days, err := on.p.SessionDays(ctx, models.SessionFilter{IsAbstract: new(false)})
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
		conflicts, err := agenda.Of(on.p).Conflicts(ctx)
		if err == nil {
			o.Conflicts = len(conflicts.All)
		}
		return err
	})
	return o, reads.Wait()
}

func (on *Desk) kindOverview(ctx context.Context, isAbstract bool) (k KindOverview, err error) {
	of := models.SessionFilter{IsAbstract: &isAbstract}
	if k.ByStatus, err = on.CountSessions(ctx, of, "status"); err != nil {
		return k, err
	}
	for _, group := range k.ByStatus {
		k.Total += group.Count
	}
	k.ByTrack, err = on.CountSessions(ctx, of, "track")
	return k, err
}
