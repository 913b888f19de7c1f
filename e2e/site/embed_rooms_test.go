package site

import (
	"fmt"
	"strings"
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// manyRooms returns a schedule of a day in six rooms and a day in twelve.
func manyRooms() string {
	var out strings.Builder
	out.WriteString(`<schedule><conference><title>Harbour</title></conference>`)
	for i, rooms := range []int{6, 12} {
		date := fmt.Sprintf("2027-05-%d", 20+i)
		fmt.Fprintf(&out, `<day date="%s">`, date)
		for room := 1; room <= rooms; room++ {
			fmt.Fprintf(&out, `<room name="Room %d"><event id="%d"><title>Talk %d</title><date>%sT10:00:00+02:00</date>`+
				`<duration>00:30</duration></event></room>`, room, 20*i+room, 20*i+room, date)
		}
		out.WriteString(`</day>`)
	}
	return out.String() + `</schedule>`
}

// TestNoRoomOfAnEmbedIsOutOfReach shows six rooms at the width of another site's column, and more of them by scrolling
// sideways.
func TestNoRoomOfAnEmbedIsOutOfReach(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		publishes(s, manyRooms())
		w, list := organizer(s)
		script, _ := makesAnEmbed(w, list, "Rooms", "Agenda: a grid where it is wide, else a list", func() {})
		_, id, _ := strings.Cut(script, `data-embed="`)
		id, _, _ = strings.Cut(id, `"`)
		if s.Plain {
			return
		}
		w.Resize(960, 700)
		for day, scrolls := range map[string]bool{"2027-05-20": false, "2027-05-21": true} {
			w.Visit("/embeds/" + id + "?day=" + day)
			before, after, err := roomsReach(w)
			w.Check(err, "rooms")
			if before != !scrolls || !after {
				t.Errorf("on %s the last room is in sight: %v, once scrolled to: %v", day, before, after)
			}
			w.Base = host(t, fmt.Sprintf(`<iframe src="%s/embeds/%s?day=%s" style="width: 960px; height: 2000px"></iframe>`, s.Base, id, day))
			w.Visit("/")
			modelstest.Want(t, "a bar over the rooms leads to the last on "+day, barLeads(w), scrolls)
			w.Base = s.Base
		}
	})
}

// barLeads reports whether a bar over the frame's rooms scrolls to the last one.
func barLeads(w *Window) bool {
	within(w, 0, "Room 1")
	element, err := w.Page.Timeout(Patience).Element("iframe")
	w.Check(err, "frame")
	frame, err := element.Frame()
	w.Check(err, "what it shows")
	led, err := frame.Eval(`async () => {
		const bar = document.querySelector(".reach");
		if (bar.hidden) return false;
		bar.scrollLeft = 100000;
		await new Promise((done) => setTimeout(done, 500));
		return [...document.querySelectorAll(".room")].pop().getBoundingClientRect().right <= innerWidth;
	}`)
	w.Check(err, "bar")
	return led.Value.Bool()
}

// roomsReach reports whether the last room is in sight, and whether it is once the page is scrolled to its end.
func roomsReach(w *Window) (before, after bool, err error) {
	seen, err := JS[[]bool](w, `() => {
		const last = [...document.querySelectorAll(".room")].pop();
		const inSight = () => last.getBoundingClientRect().right <= innerWidth;
		const before = inSight();
		scrollTo(100000, 0);
		return [before, inSight()];
	}`)
	if err != nil {
		return false, false, err
	}
	return seen[0], seen[1], nil
}
