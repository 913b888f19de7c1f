package admin

const (
	eventAgenda     = event + "/agenda"
	aBreak          = event + "/agenda/breaks/:break"
	eventPublish    = event + "/publish"
	anAgendaVersion = eventPublish + "/versions/:version"
)

// agendaRoutes are the addresses of the agenda: its grid, its breaks, what is published, and its versions.
var agendaRoutes = []address{
	at(eventAgenda, viewer, tidy(showAgenda), nil),
	at(eventAgenda+"/version", viewer, agendaVersion, nil),
	at(eventAgenda+"/conflicts", viewer, tellConflicts, nil),
	at(eventAgenda+"/rows", viewer, nil, keepAgendaRows),
	at(eventAgenda+"/move/:id", organizer, moveForm, moveSession),
	at(eventAgenda+"/suggest", organizer, suggestForm, suggestPlaces),
	at(eventAgenda+"/suggest/:placing", organizer, showPlaces, applyPlaces),
	at(eventAgenda+"/suggest/:placing/discard", organizer, nil, discardPlaces),
	at(eventPublish, organizer, tidy(showPublish), publish),
	at(eventPublish+"/count", organizer, nil, countPublish),
	at(eventPublish+"/anyway", organizer, nil, publishAnyway),
	at(eventPublish+"/versions", organizer, listAgendaVersions, releaseAgenda),
	at(anAgendaVersion, organizer, found(releasedVersion, showAgendaVersion), nil),
	at(anAgendaVersion+"/letters", organizer, nil, found(releasedVersion, draftChangeLetters)),
	at(event+"/agenda/breaks/new", organizer, newBreakForm, addBreak),
	at(aBreak, viewer, found(agendaBreak, showBreak), nil),
	at(aBreak, organizer, nil, found(agendaBreak, changeBreak)),
	at(aBreak+"/copy", organizer, nil, found(agendaBreak, copyBreak)),
	at(aBreak+"/delete", organizer, nil, found(agendaBreak, deleteBreak)),
	at(aBreak+"/restore", organizer, nil, restoreBreak),
}
