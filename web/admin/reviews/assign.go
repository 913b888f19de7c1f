package reviews

import (
	"cmp"
	"net/http"
	"slices"

	"lectern/models"
	"lectern/models/reviews"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/reviews"
	"lectern/web/admin/visit"
)

// shortShown is how many submissions with too few reviewers a preview shows unfolded.
const shortShown = 20

// planAssignment shows the form that distributes submissions, with a preview if the address asks for one.
func planAssignment(v *visit.Visit, r *reviews.Round) error {
	p := pages.AssignPage{Each: v.Query("each", "2"), Limit: v.Query("limit")}
	users := v.Queries("user")
	if !v.Request().URI().QueryArgs().Has("track") {
		return assignPage(v, http.StatusOK, r, p, "", users)
	}
	p.Each = v.Query("each")
	wish, err := wishOf(v.Query("track"), users, p.Each, p.Limit)
	if err == nil {
		err = fillPlan(v, &p, r, wish)
	}
	if err != nil {
		return v.Again(err, func(status int) error { return assignPage(v, status, r, p, wish.TrackID, users) })
	}
	return assignPage(v, http.StatusOK, r, p, wish.TrackID, users)
}

func wishOf(track string, users []string, each, limit string) (w reviews.Wish, err error) {
	w.TrackID, w.UserIDs = track, users
	if len(users) == 0 {
		return w, store.Invalidf("user", "are not chosen yet: tick who is to review")
	}
	for _, field := range []struct {
		name, text string
		to         *int
	}{{"each", each, &w.Each}, {"limit", limit, &w.Limit}} {
		n, err := visit.WholeNumber(field.name, field.text)
		if err != nil {
			return w, err
		}
		if n != nil && *n == 0 {
			return w, store.Invalidf(field.name, "must be 1 or more, or empty")
		}
		if n != nil {
			*field.to = *n
		}
	}
	return w, nil
}

// fillPlan fills in the preview of a wish.
func fillPlan(v *visit.Visit, p *pages.AssignPage, r *reviews.Round, w reviews.Wish) error {
	preview, err := v.Rounds().Plan(v.UserContext(), r.ID, w)
	if err != nil {
		return err
	}
	given := map[string]int64{}
	for _, pair := range preview.Given {
		given[pair.UserID]++
	}
	plan := &pages.AssignPlan{Text: visit.Counted(int64(len(preview.Given)), "new assignment", "new assignments") +
		" of " + visit.Counted(int64(preview.Papers), "submission", "submissions")}
	for _, s := range preview.Seats {
		plan.Rows = append(plan.Rows, pages.AssignRow{Name: s.Name, New: visit.Number(given[s.UserID]),
			Total: visit.Number(int64(s.Load))})
	}
	for _, s := range preview.Short[:min(len(preview.Short), reviews.MaxNamed)] {
		t := preview.Titles[s.SessionID]
		plan.Short = append(plan.Short, pages.AssignShort{Label: t.FriendlyID, Title: t.Title,
			URL:     v.At("/rounds/" + r.ID + "/submissions/" + s.SessionID),
			Missing: visit.Counted(int64(s.Missing), "reviewer is missing", "reviewers are missing")})
	}
	if more := len(plan.Short) - shortShown; more > 0 {
		plan.Short, plan.Folded = plan.Short[:shortShown], plan.Short[shortShown:]
		plan.More = "And " + visit.Number(int64(more)) + " more"
	}
	if rest := len(preview.Short) - reviews.MaxNamed; rest > 0 {
		plan.Rest = "And " + visit.Counted(int64(rest), "other", "others") +
			", which the list of those with the fewest reviewers has."
	}
	if len(preview.Given) > 0 {
		plan.Button = "Assign " + visit.Number(int64(len(preview.Given)))
		plan.Fields = []components.Hidden{{Name: "track", Value: w.TrackID}, {Name: "each", Value: p.Each},
			{Name: "limit", Value: p.Limit}, {Name: "print", Value: preview.Print()}}
		for _, id := range w.UserIDs {
			plan.Fields = append(plan.Fields, components.Hidden{Name: "user", Value: id})
		}
	}
	p.Plan = plan
	return nil
}

func trackOptions(v *visit.Visit, chosen string) ([]components.Option, error) {
	tracks, err := v.FamilyOptions(models.Tracks, chosen)
	return append([]components.Option{{Name: "All tracks"}}, tracks...), err
}

// reviewerOptions returns the members of staff on a round as options.
func reviewerOptions(v *visit.Visit, r *reviews.Round, chosen func(id string) bool) (all []components.Option, err error) {
	on, err := v.Rounds().Reviewers(v.UserContext(), r.ID)
	for _, one := range on {
		if one.UserID != "" {
			all = append(all, components.Option{Value: one.UserID, Name: one.Name, Chosen: chosen(one.UserID)})
		}
	}
	return all, err
}

func assignPage(v *visit.Visit, status int, r *reviews.Round, p pages.AssignPage, track string, users []string) error {
	p.Base, p.Round = v.At("/rounds/"+r.ID), r.Name
	var err error
	if p.Tracks, err = trackOptions(v, track); err != nil {
		return err
	}
	if p.Reviewers, err = reviewerOptions(v, r, func(id string) bool {
		return len(users) == 0 || slices.Contains(users, id)
	}); err != nil {
		return err
	}
	return visit.Show(v, status, "Assign submissions", pages.Assign, p)
}

// distribute carries out the plan that was shown.
func distribute(v *visit.Visit, r *reviews.Round) error {
	p := pages.AssignPage{Each: v.Value("each"), Limit: v.Value("limit")}
	users := v.Values("user")
	wish, err := wishOf(v.Value("track"), users, p.Each, p.Limit)
	if err == nil {
		var done *reviews.Preview
		if done, err = v.Rounds().Distribute(v.UserContext(), r.ID, wish, v.Value("print")); err == nil {
			return v.See(v.At("/rounds/"+r.ID), visit.Counted(int64(len(done.Given)), "new assignment", "new assignments")+
				" of "+visit.Counted(int64(done.Touched()), "submission", "submissions")+". Reviewers see them in their queue now.")
		}
	}
	if store.KindOf(err) == store.Stale {
		v.TellNow(err.Error(), nil, nil)
		if err := fillPlan(v, &p, r, wish); err != nil {
			return err
		}
		return assignPage(v, http.StatusConflict, r, p, wish.TrackID, users)
	}
	return v.Again(err, func(status int) error { return assignPage(v, status, r, p, wish.TrackID, users) })
}

// assignForm shows who reviews one submission in a round.
func assignForm(v *visit.Visit, r *reviews.Round) error {
	return assignOnePage(v, http.StatusOK, r, nil)
}

func assignOnePage(v *visit.Visit, status int, r *reviews.Round, chosen []string) error {
	s, err := v.Programme.Session(v.UserContext(), v.Params("id"))
	if err != nil {
		return err
	}
	if !s.IsAbstract || r.GivesAll {
		return store.NoSuch("submission in this round")
	}
	if chosen == nil {
		if chosen, err = v.Rounds().AssignedTo(v.UserContext(), r.ID, s.ID); err != nil {
			return err
		}
	}
	p := pages.AssignOnePage{Base: v.At("/rounds/" + r.ID), Action: v.At("/rounds/" + r.ID + "/submissions/" + s.ID),
		Round: r.Name,
		Label: s.FriendlyID, SessionURL: v.At("/sessions/" + s.ID), From: cmp.Or(v.Value("from"), v.Query("from"))}
	p.Reviewers, err = reviewerOptions(v, r, func(id string) bool { return slices.Contains(chosen, id) })
	if err != nil {
		return err
	}
	return visit.Show(v, status, s.Title, pages.AssignOne, p)
}

func assignTo(v *visit.Visit, r *reviews.Round) error {
	id, users := v.Params("id"), v.Values("user")
	if err := v.Rounds().AssignTo(v.UserContext(), r.ID, id, users); err != nil {
		return v.Again(err, func(status int) error { return assignOnePage(v, status, r, users) })
	}
	back := v.At("/rounds/" + r.ID + "/submissions")
	switch v.Value("from") {
	case "record":
		back = v.At("/sessions/" + id)
	case "results":
		back = v.At("/rounds/" + r.ID + "/results")
	}
	text := "Nobody has it in this round any more."
	if len(users) > 0 {
		text = visit.Counted(int64(len(users)), "reviewer has", "reviewers have") + " it in the round “" + r.Name + "” now."
	}
	return v.See(back, text)
}
