package moving

import (
	"os"
	"path/filepath"
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// TestAConferenceIsBrought: an empty event gets a sheet of sessions, of which one row cannot come, and then a published
// schedule, with the numbers before and after; the schedule is taken back, and somebody's work at the sheet keeps that.
func TestAConferenceIsBrought(t *testing.T) { Journey(t, journey) }

const sheet = "Title;Speaker;E-mail;Where;Topic;Date;Start;End;Needs\r\n" +
	"Tides and time;Ada Ng;ada@example.org;Dock One;Data;2027-05-20;10:00;10:45;A boat\r\n" +
	"Ships that learn;Bo Li;bo@example.org;Dock One;Data;2027-05-20;11:00;11:45;\r\n" +
	";Cy Roe;cy@example.org;Dock One;Data;;;;\r\n"

const schedule = `<schedule><conference><title>Harbour</title></conference><day date="2027-05-21"><room name="Dock Two">
	<event id="1" guid="e0d0a1d4-0000-4000-8000-000000000001"><start>10:00</start><duration>00:45</duration>
		<title>Cranes at night</title><track>Machines</track><type>talk</type>
		<persons><person id="1">Dee Ito</person></persons></event>
	<event id="2" guid="e0d0a1d4-0000-4000-8000-000000000002"><start>later</start><duration>00:45</duration>
		<title>Nobody knows when</title></event></room></day></schedule>`

func journey(t *testing.T, s *Site) {
	w := s.Owner()
	w.Accessible("dashboard-empty")
	w.Follow("Bring your conference")
	w.Sees("Where is it now?", "pretalx", "Sessionize")
	w.Accessible("moves")
	w.Follow("Choose: A sheet of sessions")
	w.Attach("file", "sessions.csv", sheet)
	w.Accessible("move-sheet")
	w.Press("Look at it")
	w.Sees("What is in which column?", "Tides and time")
	w.Choose("What is in Where", "Room")
	w.Accessible("move-columns")
	w.Press("Look at 3 rows")
	w.ReloadsUntil("Sessions and submissions")
	w.Sees("2 sessions have a time, on 20 May 2027", "row 4", "has no title", "Download the rows to correct")
	w.Accessible("move-preview")
	w.Press("Bring it")
	if w.Scripts { // the page follows by itself
		w.Sees("Show the sessions")
	}
	w.ReloadsUntil("Show the sessions")
	w.Sees("What did not come")
	w.Accessible("move-came")
	sheetMove := w.URL()
	correctedComes(w)

	w.Follow("All moves")
	w.Follow("Choose: A schedule file")
	w.Accessible("move-schedule")
	w.Attach("file", "schedule.xml", schedule)
	w.Press("Look at it")
	w.ReloadsUntil("Sessions and submissions")
	w.Sees("Nobody knows when")
	w.Press("Bring it")
	w.ReloadsUntil("Show the sessions")
	w.Follow("Show the sessions")
	w.Sees("Tides and time", "Cranes at night")
	w.Back()
	w.Follow("Undo…")
	w.Sees("1 session", "1 person", "1 room")
	w.Accessible("move-undo")
	w.Press("Undo the move")
	w.ReloadsUntil("The move is undone")
	w.Follow("All moves")
	w.Sees("Undone", "sessions.csv")

	w.Follow("Sessions")
	w.DoesNotSee("Cranes at night")
	w.Follow("Tides and time")
	w.Follow("Edit")
	w.Fill("Capacity", "40")
	w.Press("Save")
	w.Visit(sheetMove + "/undo")
	w.Sees("This move cannot be undone", "Somebody worked on what came", "Tides and time")
	w.Accessible("move-held")
	comesWhole(w, s)
}

// correctedComes sends the row that did not come, as it is downloaded, with a title.
func correctedComes(w *Window) {
	w.Follow("Bring what changed since")
	w.Attach("file", "harbour-rows-to-correct.csv", "Title,Speaker,E-mail,Where,Topic,Date,Start,End,Needs,Row in the file,What is wrong\r\n"+
		"Knots,Cy Roe,cy@example.org,Dock One,Data,,,,,4,has no title.\r\n")
	w.Press("Look at it")
	w.Sees("What is in which column?", "Chosen", "Left out")
	w.Press("Look at 1 row")
	w.ReloadsUntil("Sessions and submissions")
	w.DoesNotSee("What cannot come")
	w.Press("Bring it")
	w.ReloadsUntil("Show the sessions")
	w.DoesNotSee("Gone there")
}

// comesWhole takes all of the event as an archive and brings that beside it.
func comesWhole(w *Window, s *Site) {
	file := filepath.Join(w.T.TempDir(), "harbour.zip")
	s.Run("export", "harbour", file)
	whole := modelstest.Must(os.ReadFile(file))(w.T)
	w.Follow("Settings")
	w.Follow("Make the archive")
	w.Accessible("archive-none")
	w.Press("Make the archive")
	w.ReloadsUntil("Download the archive")
	w.Sees("Make it anew", "all events as one archive")
	w.Accessible("archive-made")
	w.Follow("Settings")
	w.Follow("Bring your conference")
	w.Follow("Choose: An archive of an event")
	w.Accessible("move-archive")
	w.Attach("file", "cut.zip", string(whole[:len(whole)/2]))
	w.Fill("Short name", "harbour-again")
	w.Press("Look at it")
	w.Sees("it is cut off")
	w.Attach("file", "harbour.zip", string(whole))
	w.Press("Look at it")
	w.ReloadsUntil("Sessions and submissions")
	w.Sees("under the short name “harbour-again”", "It cannot be undone")
	w.Accessible("move-archive-preview")
	w.Press("Bring it")
	w.ReloadsUntil("Open the event")
	w.Accessible("move-archive-came")
	w.Follow("Open the event")
	w.Follow("Sessions")
	w.Sees("Tides and time", "Ships that learn")
}
