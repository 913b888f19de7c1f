package models

// Need is what somebody has to do with a session. The dashboard counts them,
// and a search can be narrowed to one.
type Need string

const (
	NeedsSession Need = "session" // an accepted abstract that is in no programme session
	NeedsPlace   Need = "place"   // a programme session without a room or a start
	NeedsRoom    Need = "room"    // a programme session that shares its room with another at one time
	NeedsLetter  Need = "letter"  // an accepted abstract whose people were not told
	NeedsPeople  Need = "people"  // without participants
)

// needs are the conditions of each, for live rows of the table sessions; ? is
// the event, where they have one. Two sessions are in one room at one time when
// each starts before the other ends, or both start at once; one without an end is
// an instant. So of the sessions of a room in the order of their starts, one
// shares it with what goes on until later than its start, or with the next one.
var needs = map[Need]string{
	NeedsSession: "is_abstract AND status = 'accepted' AND composed_into IS NULL",
	NeedsPlace:   "NOT is_abstract AND (room_id IS NULL OR starts_at IS NULL)",
	NeedsRoom: "id IN (SELECT id FROM (SELECT id, starts_at, ends_at, lag(starts_at) OVER room AS started, lead(starts_at) OVER room AS follows, " +
		"max(coalesce(ends_at, starts_at)) OVER (room ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS until FROM sessions " +
		"WHERE event_id = ? AND is_abstract = false AND deleted_at IS NULL AND room_id IS NOT NULL AND starts_at IS NOT NULL " +
		"WINDOW room AS (PARTITION BY room_id ORDER BY starts_at, id)) placed " +
		"WHERE until > starts_at OR started = starts_at OR follows = starts_at OR follows < ends_at)",
	NeedsLetter: "is_abstract AND status = 'accepted' AND NOT EXISTS (SELECT 1 FROM letters " +
		"WHERE letters.session_id = sessions.id AND letters.decision = 'accepted' AND letters.state = 'sent')",
	NeedsPeople: "is_alone",
}
