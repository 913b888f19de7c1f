package mcp

import "slices"

// The scopes of the REST API that tools need.
const (
	readEvents    = "read:events"
	readSessions  = "read:sessions"
	writeSessions = "write:sessions"
	readContacts  = "read:contacts"
	readMetadata  = "read:metadata"
)

var (
	limitArgument = number("limit", 100, "Rows of a page; default 25")
	pageArgument  = number("page", 999, "Default 1")
	trackArgument = text("track", "Track id or name")
	trackFilter   = text("track", "Track id or name; (none) = without")
	statusFilter  = argument{name: "status", schema: map[string]any{"type": "array",
		"items": map[string]any{"type": "string", "enum": statuses}, "description": "Any of these statuses"}}
	formatFilter = text("format", "Format, as track")
	levelFilter  = text("level", "Level, as track")
	tagFilter    = text("tag", "Tag, as track")
	countBy      = oneOf("count_by", groups, "Tells counts of all that match, not rows")
)

// tools returns the whole interface.
func (s *Server) tools() []tool {
	return slices.Concat(overviewTools(), scheduleTools(), submissionTools(), rowTools())
}

func overviewTools() []tool {
	return []tool{
		{"list_events", "List events",
			"Tells the one event the key reaches: id, name, slug and time zone. The other tools find it by themselves.",
			[]string{readEvents}, reads, nil, listEvents, []any{list[eventRow]{}}},
		{"get_event_overview", "Get event overview",
			"Tells in one call where the event stands: counts of submissions and programme sessions by status and track, days, " +
				"what is unscheduled, unpublished or in conflict, and the first conflicts. Begin here.",
			[]string{readSessions}, reads, []argument{eventArgument,
				number("conflicts", 100, "How many conflicts are told; default 3")}, getEventOverview, []any{eventOverview{}}},
		{"list_changes", "List changes",
			"Tells what changed since you last asked: sessions, submissions, speakers, rooms, tracks, breaks, as they are now, " +
				"and what is gone. Call it once without since for a cursor. For a past time use list_submissions " +
				"(created_since, updated_since) and search_schedule (updated_since), for people, rooms and " +
				"what is gone since start.",
			[]string{readSessions}, reads, []argument{eventArgument,
				text("since", "Cursor of the last answer; start = all"), limitArgument}, listChanges, []any{changeList{}}},
		{"get_openapi", "Get API description",
			"Describes the REST API behind these tools, for what they cannot do. Without section: an index of the operations. " +
				"With an operation id: that operation and its schemas. With full: everything, which is long.",
			nil, reads, []argument{text("section", "An operation id from the index, or full")}, getOpenAPI, nil},
	}
}

func scheduleTools() []tool {
	return []tool{
		{"get_schedule", "Get schedule",
			"Lists programme sessions (the agenda, not submissions) in order of start, with room, track and speakers. Times " +
				"are in the event's time zone, ends_at without the date on the same day; unscheduled sessions come last. " +
				"It sees the first 100 sessions alone; search_schedule finds any.",
			[]string{readSessions}, reads, []argument{eventArgument, trackArgument, text("day",
				"Only sessions that start on this date, YYYY-MM-DD, in the event's time zone"),
				number("limit", 100, "Most results; default 50")}, getSchedule, []any{schedule[scheduleRow]{}}},
		{"search_schedule", "Search schedule",
			"Finds programme sessions, of all there are, in order of start, page by page. Tools take the label (S-12) of a " +
				"row for an id. find_free_slots tells which rooms are free.",
			[]string{readSessions}, reads, []argument{eventArgument,
				text("day", "Starts on this date, YYYY-MM-DD, in the event's time zone"),
				text("at", "Takes place at this time, such as 2027-05-15T10:30 there"),
				text("room", "Room id or name"), trackFilter, formatFilter, levelFilter, tagFilter,
				oneOf("needs", sessionNeeds, "What is wrong: room or person taken twice, somebody away, beside what is plenary, few "+
					"seats, public with a submission declined or withdrawn, no room or start (place), no people"),
				text("updated_since", "Changed after this time"), text("speaker", "Contact id, or words of a name"),
				text("text", "Words that must all match in title, description or a name; or a label, which comes first"),
				statusFilter, flag("scheduled", "Has a start"),
				flag("is_public", "Is published; false also tells what holds it"), countBy,
				limitArgument, pageArgument}, searchSchedule, []any{schedule[foundRow]{}, counts{}}},
		{"find_free_slots", "Find free slots",
			"Tells of a day its breaks, and when rooms are free. With session_id: where that session can go while its people " +
				"have time.",
			[]string{readSessions}, reads, []argument{eventArgument,
				text("day", "YYYY-MM-DD, in the event's time zone").needed(),
				number("minutes", maxFree, "At least; default the session's length, or 30"),
				text("room", "Room id or name"), text("session_id", "Id, or label such as S-12"),
				text("from", "Such as 13:00; default the agenda's first hour"), text("until", "Default the agenda's last"),
				pageArgument}, findFreeSlots, []any{freeDay{}}},
		{"schedule_session", "Schedule session",
			"Gives a programme session its room and time and answers with the conflicts it has then; look at them. What is left " +
				"out stays; without ends_at the length stays, or is that of its parts or format, else half an hour.",
			[]string{readSessions, writeSessions}, changes, []argument{eventArgument,
				text("session_id", "Id, or label such as S-12").needed(), text("room", "Room id or name"),
				text("starts_at", "Such as 2027-05-15T10:30, in the event's time zone, or with an offset"),
				text("ends_at", "As starts_at"), flag("unschedule", "Takes its room and time away instead"),
				text("updated_at", "As you read it; refuses when somebody changed the session since")},
			scheduleSession, []any{placedSession{}}},
	}
}

func submissionTools() []tool {
	return []tool{
		{"list_submissions", "List submissions",
			"Lists call-for-papers submissions (abstracts), last changed first, with a short description. For one in full use " +
				"get_submission, for the agenda search_schedule.",
			[]string{readSessions}, reads, []argument{eventArgument, statusFilter,
				text("text",
					"Words that must all match, in title, description, label or a participant's name; quotes keep words "+
						"together"), trackFilter, formatFilter, levelFilter, tagFilter,
				oneOf("needs", submissionNeeds, "Accepted but in no session, or people not told (letter); without people"),
				limitArgument, pageArgument, text("updated_since", "Changed after this time"),
				text("created_since", "Came in after this time; the last first"), countBy},
			listSubmissions, []any{list[submissionRow]{}, counts{}}},
		{"get_submission", "Get submission",
			"Reads one submission in full: description, answers to the call for papers, participants with contact details, what " +
				"it is composed into. A programme session's id works too: is_public, what holds its publication, what it collides with. " +
				"Review scores are not part of it.",
			[]string{readSessions}, reads, []argument{eventArgument,
				text("submission_id", "Id, or label such as A-17").needed(), offsetArgument},
			getSubmission, []any{submission{}, passage{}}},
		{"capture_abstract", "Capture abstract",
			"Creates one new submission, always; tells under similar what is called much like it. To look before, " +
				"pass the title to list_submissions as text. It takes no people.",
			[]string{writeSessions}, makes, []argument{eventArgument, text("title", "Title").needed(),
				text("description", "Description; simple HTML is kept"), trackArgument,
				{name: "status", schema: map[string]any{"type": "string", "enum": statuses, "description": "Default pending"}},
				{name: "custom_fields", schema: map[string]any{"type": "object",
					"additionalProperties": map[string]any{"type": "string"}, "description": "Answers to the call for papers, by key or by the question's words"}}},
			captureAbstract, []any{captured{}}},
		{"update_submission", "Update submission",
			"Sets the status of one submission and answers with its new updated_at. accepted and declined are decisions; " +
				"the queues wait for staff to commit them. It refuses when somebody changed the submission since you read it.",
			[]string{writeSessions}, changes, []argument{eventArgument,
				text("submission_id", "Id, or label such as A-17").needed(),
				oneOf("status", statuses, "The new status").needed(),
				text("updated_at", "As a list or get_submission told it").needed()}, updateSubmission, []any{updated{}}},
	}
}

func rowTools() []tool {
	return []tool{
		{"search_speakers", "Search speakers",
			"Finds people who are on a session or submission: id, name, company, email, about, and their sessions and submissions " +
				"by label and title. For all of one person use get_speaker.",
			[]string{readContacts}, reads, []argument{eventArgument, text("query",
				"Words of a name, company or e-mail, in any order; default everyone"),
				limitArgument, pageArgument}, searchSpeakers, []any{list[speakerRow]{}}},
		{"get_speaker", "Get speaker",
			"Reads one person in full, with their sessions and submissions.",
			[]string{readContacts}, reads, []argument{eventArgument,
				text("speaker_id", "Id from search_speakers").needed(), offsetArgument}, getSpeaker, []any{speaker{}, aboutOnward{}}},
		{"list_tracks", "List tracks",
			"Lists the event's tracks: id, name, colour and order.",
			[]string{readMetadata}, reads, []argument{eventArgument}, listTracks, []any{list[trackRow]{}}},
		{"list_rooms", "List rooms",
			"Lists the event's rooms with their capacity, or with family its tracks, formats (with minutes), levels or tags.",
			[]string{readMetadata}, reads, []argument{eventArgument,
				oneOf("family", families, "Default rooms"), pageArgument}, listRooms, []any{list[labelRow]{}}},
	}
}
