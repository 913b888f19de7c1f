package admin

import (
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
)

func TestThePageOfAPersonSaysHowTheirAvailabilityIsRead(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.dates("2027-05-20", "2027-05-22")
	talk := d.placed("Tides", d.room("Hall"), "11:30", "12:30")
	li := d.Speaker(t, d.Event, talk.ID, models.NewContact{FirstName: "Li", LastName: "Na"})
	write := func(text string) {
		modelstest.Must(d.Programme().Directory().UpdatePerson(t.Context(), li, models.PersonChange{
			Values: map[string]string{"availability": text}}))(t)
	}
	b := d.as(staff.Organizer)
	person := d.at("/speakers/" + li)
	lacks(t, b.get(person, 200), "Away on these times")
	write("Not before 12:00 on Thursday. Away Friday after 15:00\nAway Saturday\nPrefers <mornings>")
	wants(t, b.get(person, 200), "Thursday 20 May until 12:00", "Friday 21 May 15:00 to Saturday 22 May",
		"Prefers &lt;mornings&gt;")

	// The record, the list and the dashboard say so, with a link to who it is.
	link := `<a href="` + person + `"><bdi>Li Na</bdi></a>`
	wants(t, b.get(d.at("/sessions/"+talk.ID), 200), link+" is away until 12:00, while this is 11:30 to 12:30.")
	wants(t, b.get(d.at("/sessions?needs=away"), 200), "1 to 1 of 1", link+" is away until 12:00")
	wants(t, b.get(d.at(""), 200), "session has somebody who is away then", "sessions?needs=away")
	write("Friday only")
	wants(t, b.get(d.at("/sessions/"+talk.ID), 200), link+" is away on Thursday 20 May, while this is")
	write("Away Thursday from 12:15 to 12:45")
	wants(t, b.get(d.at("/sessions/"+talk.ID), 200), link+" is away from 12:15 to 12:45, while this is")
	write("Away Thursday from 12:30")
	lacks(t, b.get(d.at("/sessions/"+talk.ID), 200), "is away")
}

func TestASaveSaysThatTheRoomIsTooSmall(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	loft := modelstest.Must(d.Programme().CreateMetadata(t.Context(), models.Rooms, models.NewMetadata{Name: "Rope Loft",
		Capacity: new(40)}))(t)
	talk := d.placed("Ledgers", loft.ID, "09:40", "11:00")
	b := d.as(staff.Organizer)
	record := d.at("/sessions/" + talk.ID)
	form := fields(b.get(record+"/edit", 200))
	form.Set("capacity", "90")
	said := `<a href="` + d.at("/metadata/rooms/"+loft.ID) + `"><bdi>Rope Loft</bdi></a> holds 40, while this expects 90.`
	wants(t, b.follow(b.post(record+"/edit", form, 303)), "Saved.", said)
	wants(t, b.get(record, 200), said)
	wants(t, b.get(d.at("/sessions?needs=seats"), 200), "1 to 1 of 1", said, "In a room that is too small")
	form = fields(b.get(record+"/edit", 200))
	form.Set("capacity", "40")
	lacks(t, b.follow(b.post(record+"/edit", form, 303)), "holds 40")
}
