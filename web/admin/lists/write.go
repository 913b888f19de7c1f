package lists

import (
	"lectern/models"
	"lectern/models/letters"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
)

// speakersVerb adds to a list's bar the buttons that begin a letter to the people on the rows.
func speakersVerb(v *visit.Visit, bar *toolbar.Bulk, kind string) {
	if kind == "trash" {
		return
	}
	parts := []toolbar.BulkPart{
		{Verb: toolbar.BulkVerb{Do: "write", Name: "Write to their people", Action: v.At("/" + kind + "/write")}},
		{Verb: toolbar.BulkVerb{Do: "place", Name: "Invite them to their place",
			Action: v.At("/"+kind+"/write") + "?template=" + letters.PlaceText}}}
	if n := len(bar.Menus); n > 0 && bar.Menus[n-1].Name == more {
		bar.Menus[n-1].Parts = append(parts, bar.Menus[n-1].Parts...)
		return
	}
	bar.Menus = append(bar.Menus, toolbar.BulkMenu{Name: more, Parts: parts})
}

// writeToSpeakers begins a letter to the people on the ticked sessions, or on all of the list.
func writeToSpeakers(v *visit.Visit, kind string) error {
	posted := posted(v, kind)
	seen := posted.View()
	l, err := Valid(v, posted)
	if err != nil {
		return err
	}
	ids, q := v.Values("id"), (*models.SessionSearch)(nil)
	if v.Value("scope") == "all" {
		if l.View() != seen { // a filter was dropped, so the list now has more rows than the user saw
			return v.SeeWarning(At(v, l),
				"The list was narrowed by a filter that is not there any more. Look at it as it is now, then select again.")
		}
		ids, q = nil, new(l.Search())
	}
	if len(ids) == 0 && q == nil {
		return v.SeeWarning(At(v, l), "Select at least one row first.")
	}
	people, err := letters.Of(v.Programme).SpeakersOf(v.UserContext(), ids, q)
	if err != nil {
		return err
	}
	if len(people) == 0 {
		return v.SeeWarning(At(v, l), "There is nobody on these sessions to write to.")
	}
	return v.StartMailing(v.Programme, v.Programme.Directory(), people, At(v, l), v.Starter())
}
