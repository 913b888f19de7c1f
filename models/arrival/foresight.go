package arrival

import (
	"context"
	"maps"
	"slices"

	"lectern/models"
	"lectern/models/frab"
	"lectern/models/store"
)

// Foreseen counts the rows that an import would bring: new ones, and those that match a row here.
type Foreseen struct {
	New  int `json:"new"`
	Here int `json:"here"`
}

// Count counts one row.
func (f *Foreseen) Count(isHere bool) {
	if isHere {
		f.Here++
	} else {
		f.New++
	}
}

// Foresight is what an import would do, given what is here now. It reads in chunks, and writes nothing.
type Foresight struct {
	p        *models.Programme
	Labels   Foreseen
	People   Foreseen
	Sessions Foreseen // submissions, or sessions of a schedule
	Placed   int      // sessions with a time; a submission may have several
	Breaks   Foreseen
	Skipped  []frab.Skipped // what cannot come, and why
}

// Foresee begins a Foresight.
func (in *Arrivals) Foresee() *Foresight { return &Foresight{p: in.p, Skipped: []frab.Skipped{}} }

// Schedule foresees Import.
func (f *Foresight) Schedule(ctx context.Context, s *frab.Schedule) error {
	f.Skipped = append(f.Skipped, s.Skipped...)
	if err := f.SeeLabels(ctx, labelsOf(s)); err != nil {
		return err
	}
	for some := range slices.Chunk(personsOf(s), models.StepRows) {
		if err := f.SeePeople(ctx, some); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(s.Events, models.StepRows) {
		sessions := make([]Session, len(some))
		for i := range some {
			e := &some[i]
			sessions[i] = Session{Key: e.Key, Title: e.Title, Description: descriptionOf(e),
				Slots: []Slot{{Start: store.At(e.Start), End: store.At(e.End)}}}
		}
		if err := f.SeeSessions(ctx, sessions); err != nil {
			return err
		}
	}
	return f.SeeBreaks(ctx, s.Breaks)
}

// records returns the rows that items with these keys became in earlier imports.
func (f *Foresight) records(ctx context.Context, keys []string, kinds ...string) (importedRows, error) {
	i := importer{Load: models.Load{Programme: f.p}}
	return i.recordsOf(&store.Tx{DB: f.p.Read(ctx)}, keys, kinds...)
}

// SeeLabels foresees Arrival.Labels.
func (f *Foresight) SeeLabels(ctx context.Context, all []Label) error {
	i := importer{Load: models.Load{Programme: f.p}}
	byName, err := i.labelsByName(&store.Tx{DB: f.p.Read(ctx)})
	if err != nil {
		return err
	}
	for some := range slices.Chunk(all, models.StepRows) {
		keys := store.Map(some, func(s Label) string { return s.Key })
		records, err := f.records(ctx, keys, "metadata")
		if err != nil {
			return err
		}
		for x := range some {
			l := &some[x]
			if err := l.Clean(l.Family); err != nil {
				f.skip(l.Key, l.Name, err)
				continue
			}
			f.Labels.Count(records.id("metadata", l.Key) != "" || byName[l.Family][l.Name] != nil)
		}
	}
	return nil
}

// SeePeople foresees Arrival.People.
func (f *Foresight) SeePeople(ctx context.Context, some []Person) error {
	var keys, emails []string
	for _, x := range some {
		if keys = append(keys, x.Key); x.Email != "" {
			emails = append(emails, store.Fold(x.Email))
		}
	}
	records, err := f.records(ctx, keys, "contact")
	if err != nil {
		return err
	}
	tx := &store.Tx{DB: f.p.Read(ctx)}
	known, err := models.IDsByEmail(tx.DB, f.p.Event().OrganizationID, emails)
	if err != nil {
		return err
	}
	unseen, err := f.p.Unseen(tx.DB, slices.Sorted(maps.Values(known))) // those it may not know count as new
	if err != nil {
		return err
	}
	for _, x := range some {
		if err := x.NewContact.Clean(); err != nil {
			f.skip(x.Key, x.FirstName+" "+x.LastName, err)
			x.emptyFaulty(err)
			if x.NewContact.Clean() != nil {
				continue
			}
		}
		email := store.Fold(x.Email)
		isKnown := known[email] != "" && !slices.Contains(unseen, known[email])
		f.People.Count(isKnown || records.id("contact", x.Key) != "")
	}
	return nil
}

// SeeSessions foresees Arrival.Sessions.
func (f *Foresight) SeeSessions(ctx context.Context, some []Session) error {
	keys := store.Map(some, func(s Session) string { return s.Key })
	records, err := f.records(ctx, keys, "session", "abstract")
	if err != nil {
		return err
	}
	var ids, deleted []string
	for _, key := range keys {
		ids = append(ids, records.id("session", key), records.id("abstract", key))
	}
	if err := f.p.Read(ctx).Model(&models.Session{}).Where("event_id = ? AND id IN ? AND deleted_at IS NOT NULL",
		f.p.Event().ID, ids).Pluck("id", &deleted).Error; err != nil {
		return err
	}
	for x := range some {
		f.session(&some[x], records, deleted)
	}
	return nil
}

func (f *Foresight) session(s *Session, records importedRows, deleted []string) {
	session, abstract := records.id("session", s.Key), records.id("abstract", s.Key)
	if slices.Contains(deleted, session) || slices.Contains(deleted, abstract) {
		f.Skipped = append(f.Skipped, frab.Skipped{ID: s.Key, Title: s.Title, Reason: "was deleted here and stays so"})
		return
	}
	as := &models.Session{Title: s.Title, Description: s.Description}
	if len(s.Slots) > 0 {
		as.StartsAt, as.EndsAt = &s.Slots[0].Start, &s.Slots[0].End
	}
	if len(s.Slots) > 0 && s.Slots[0].End.IsZero() {
		as.EndsAt = nil
	}
	_, err := s.Answers.Clean()
	if err == nil {
		err = cleanImported(as)
	}
	if err != nil {
		f.skip(s.Key, s.Title, err)
		return
	}
	f.Placed += len(s.Slots)
	f.Sessions.Count(session != "" || abstract != "")
}

// SeeBreaks foresees Arrival.Breaks.
func (f *Foresight) SeeBreaks(ctx context.Context, all []frab.Break) error {
	for some := range slices.Chunk(all, models.StepRows) {
		keys := store.Map(some, func(s frab.Break) string { return s.Key })
		records, err := f.records(ctx, keys, "break")
		if err != nil {
			return err
		}
		for _, key := range keys {
			f.Breaks.Count(records.id("break", key) != "")
		}
	}
	return nil
}

func (f *Foresight) skip(key, title string, err error) {
	f.Skipped = append(f.Skipped, frab.Skipped{ID: key, Title: title, Reason: err.Error()})
}
