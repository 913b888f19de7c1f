// Package agenda is where organizers place sessions and breaks, publish what is ready, and release what changed.
package agenda

import "lectern/web/admin/visit"

const (
	eventAgenda     = visit.Event + "/agenda"
	aBreak          = visit.Event + "/agenda/breaks/:break"
	eventPublish    = visit.Event + "/publish"
	anAgendaVersion = eventPublish + "/versions/:version"
)

// Routes are the addresses of the agenda: its grid, its breaks, what is published, and its versions.
var Routes = []visit.Address{
	visit.At(eventAgenda, visit.Viewer, visit.Tidy(showAgenda), nil),
	visit.At(eventAgenda+"/version", visit.Viewer, agendaVersion, nil),
	visit.At(eventAgenda+"/conflicts", visit.Viewer, visit.TellConflicts, nil),
	visit.At(eventAgenda+"/rows", visit.Viewer, nil, keepAgendaRows),
	visit.At(eventAgenda+"/move/:id", visit.Organizer, moveForm, moveSession),
	visit.At(eventAgenda+"/suggest", visit.Organizer, suggestForm, suggestPlaces),
	visit.At(eventAgenda+"/suggest/:placing", visit.Organizer, showPlaces, applyPlaces),
	visit.At(eventAgenda+"/suggest/:placing/discard", visit.Organizer, nil, discardPlaces),
	visit.At(eventPublish, visit.Organizer, visit.Tidy(showPublish), publish),
	visit.At(eventPublish+"/count", visit.Organizer, nil, countPublish),
	visit.At(eventPublish+"/anyway", visit.Organizer, nil, publishAnyway),
	visit.At(eventPublish+"/versions", visit.Organizer, listAgendaVersions, releaseAgenda),
	visit.At(anAgendaVersion, visit.Organizer, visit.Found(releasedVersion, showAgendaVersion), nil),
	visit.At(anAgendaVersion+"/letters", visit.Organizer, nil, visit.Found(releasedVersion, draftChangeLetters)),
	visit.At(visit.Event+"/agenda/breaks/new", visit.Organizer, newBreakForm, addBreak),
	visit.At(aBreak, visit.Viewer, visit.Found(agendaBreak, showBreak), nil),
	visit.At(aBreak, visit.Organizer, nil, visit.Found(agendaBreak, changeBreak)),
	visit.At(aBreak+"/copy", visit.Organizer, nil, visit.Found(agendaBreak, copyBreak)),
	visit.At(aBreak+"/delete", visit.Organizer, nil, visit.Found(agendaBreak, deleteBreak)),
	visit.At(aBreak+"/restore", visit.Organizer, nil, restoreBreak),
}
