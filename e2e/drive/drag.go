package drive

import (
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// Drag drags a row by its handle to the place of another row.
func (w *Window) Drag(row, to string) {
	w.T.Helper()
	at := func(name string) (x, y float64) {
		point, err := JS[[]float64](w, `(name) => {
			const row = [...document.querySelectorAll("tbody tr, [data-moves], .asks > li")].find(e =>
				e.querySelector(".title, .session-title, .ask").textContent === name);
			const box = row.querySelector("[data-handle]").getBoundingClientRect();
			return [box.x + box.width / 2, box.y + box.height / 2];
		}`, name)
		w.Check(err, name)
		return point[0], point[1]
	}
	x, y := at(row)
	_, end := at(to)
	mouse := w.Page.Mouse
	w.Check(mouse.MoveTo(proto.NewPoint(x, y)), row)
	w.Check(mouse.Down(proto.InputMouseButtonLeft, 1), row)
	w.Check(mouse.MoveLinear(proto.NewPoint(x, end-12), 12), to)
	// Rows that are still moving out of the way ignore the pointer.
	for until := time.Now().Add(Patience); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if _, now := at(to); now > end {
			break
		}
		end--
		w.Check(mouse.MoveTo(proto.NewPoint(x, end-12)), to)
		end++
		w.Check(mouse.MoveTo(proto.NewPoint(x, end-12)), to)
	}
	w.Check(mouse.Up(proto.InputMouseButtonLeft, 1), to)
}

// DragTo drags what is at one point to another one.
func (w *Window) DragTo(from, to *Target) {
	w.T.Helper()
	mouse := func(kind proto.InputDispatchMouseEventType, x, y float64, buttons int) {
		w.T.Helper()
		w.Check(proto.InputDispatchMouseEvent{Type: kind, X: x, Y: y, Button: proto.InputMouseButtonLeft, Buttons: &buttons,
			ClickCount: 1}.Call(w.Page.Timeout(Patience)), "mouse")
	}
	mouse(proto.InputDispatchMouseEventTypeMouseMoved, from.X, from.Y, 0)
	mouse(proto.InputDispatchMouseEventTypeMousePressed, from.X, from.Y, 1)
	mouse(proto.InputDispatchMouseEventTypeMouseMoved, from.X+9, from.Y+9, 1)
	mouse(proto.InputDispatchMouseEventTypeMouseMoved, to.X, to.Y, 1)
	mouse(proto.InputDispatchMouseEventTypeMouseReleased, to.X, to.Y, 0)
}
