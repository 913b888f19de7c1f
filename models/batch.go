package models

// BatchState is where a batch stands.
type BatchState string

const (
	BatchRunning  BatchState = "running"
	BatchFinished BatchState = "finished"
)

// Batch is one change of many sessions, made in the background.
type Batch struct {
	ID         string
	EventID    string
	UserID     string // the actor who started it
	ActorName  string
	Change     BatchChange `gorm:"serializer:json"`
	Undoes     *string     // the batch whose changes this one takes back
	State      BatchState
	Total      int
	Succeeded  int
	Failed     int
	CreatedAt  Time
	FinishedAt *Time
	Failures   []*BatchFailure `gorm:"-"` // the first 50, filled by Batch alone
}

// BatchChange is what happens to each session: either a new status, track or
// tags, or a deletion, or a restoration.
type BatchChange struct {
	Status     *Status          `json:"status,omitempty"`
	TrackID    Optional[string] `json:"track_id,omitzero"` // null takes the track away
	AddTags    []string         `json:"add_tags,omitempty"`
	RemoveTags []string         `json:"remove_tags,omitempty"`
	Delete     bool             `json:"delete,omitempty"`
	Restore    bool             `json:"restore,omitempty"`
}

// BatchFailure is a session that a batch could not change.
type BatchFailure struct {
	SessionID  string
	FriendlyID string
	Title      string
	Message    string
}

type itemState string

const (
	itemPending itemState = "pending"
	itemDone    itemState = "done"
	itemFailed  itemState = "failed"
)

type batchItem struct {
	EventID   string
	BatchID   string `gorm:"primaryKey"`
	SessionID string `gorm:"primaryKey"`
	State     itemState
	Message   string
	Before    batchFacts `gorm:"serializer:json"`
	After     batchFacts `gorm:"serializer:json"`
}

// batchFacts are the fields that an item changed, as they were or as they are.
type batchFacts struct {
	Status  *Status          `json:"status,omitempty"`
	TrackID Optional[string] `json:"track_id,omitzero"`
	TagIDs  *[]string        `json:"tag_ids,omitempty"`
}
