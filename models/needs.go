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

// needs are the conditions of each, for live rows of the table sessions. Two
// sessions are in one room at one time when each starts before the other ends,
// or both start at once; one without an end is an instant.
var needs = map[Need]string{
	NeedsSession: "is_abstract AND status = 'accepted' AND composed_into IS NULL",
	NeedsPlace:   "NOT is_abstract AND (room_id IS NULL OR starts_at IS NULL)",
	NeedsRoom: "NOT is_abstract AND room_id IS NOT NULL AND starts_at IS NOT NULL AND EXISTS (SELECT 1 FROM sessions other " +
		"WHERE other.event_id = sessions.event_id AND other.room_id = sessions.room_id AND other.id <> sessions.id " +
		"AND other.deleted_at IS NULL AND NOT other.is_abstract AND (other.starts_at = sessions.starts_at OR " +
		"other.starts_at < sessions.ends_at AND sessions.starts_at < coalesce(other.ends_at, other.starts_at) OR " +
		"sessions.ends_at IS NULL AND other.starts_at < sessions.starts_at AND sessions.starts_at < other.ends_at))",
	NeedsLetter: "is_abstract AND status = 'accepted' AND NOT EXISTS (SELECT 1 FROM letters " +
		"WHERE letters.session_id = sessions.id AND letters.decision = 'accepted' AND letters.state = 'sent')",
	NeedsPeople: "is_alone",
}
