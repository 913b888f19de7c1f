package gallery

import "lectern/views/pages/archives"

func (s *shelf) archives() {
	page := archives.Page{Back: here, BackName: "Settings", Here: here, About: "All of it as a ZIP. Keep it safe.",
		Verb: "Make the archive", Whole: here}
	of(s, "Archive", "Harbour 2027 as a file", archives.Archive).
		is("writing", archives.Page{Back: here, BackName: "Settings", Here: here, Running: true, Waits: "Writing the archive",
			Done: 400, All: 1240, Progress: "400 MB of about 1240 MB"}).
		worded(func(w words) archives.Page {
			made := page
			made.BackName, made.File, made.CanClear, made.Verb = w.label, here, true, "Make it anew"
			made.Facts = []string{"The archive is ready, 812 MB. It is deleted on 21 May 2027, 09:40.", "Asked for by " + w.person + "."}
			return made
		}).
		is("stopped", archives.Page{Back: here, BackName: "Settings", Here: here, Verb: "Make the archive", CanClear: true,
			Reason: "It is larger than 4 GB. Whoever runs the server writes it by “lectern export”."})
}
