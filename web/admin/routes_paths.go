package admin

// event is the address of an event, below which all that belongs to it stands.
const event = "/admin/events/:event"
