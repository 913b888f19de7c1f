package gallery

import (
	"lectern/views/components"
	"lectern/views/pages/tasks"
	"lectern/views/records"
	"lectern/views/toolbar"
)

// taskFiles adds the list of files handed in, for staff.
func (s *shelf) taskFiles() {
	of(s, "Files of speakers", "Tasks", tasks.Files).worded(filesOfTasks).
		is("no files", tasks.FilesPage{Tabs: filesOfTasks(plain).Tabs, None: true})
}

func filesOfTasks(w words) tasks.FilesPage {
	row := records.TaskRow{URL: here, Task: w.title, Label: "A-12", Owner: w.title, People: w.person,
		Badge: records.TaskBadge{Look: "accepted", Icon: "check", Name: "Approved"}}
	return tasks.FilesPage{Tabs: taskTabs("files"),
		Shows: []components.Tab{{Name: "All", URL: here, Count: "1", Current: true}, {Name: "To check", URL: here, Count: "0"}},
		Bar:   toolbar.Bar{Base: here, Placeholder: "Name, title or label", Found: "1", What: "file"},
		Rows: []tasks.FileRow{{TaskRow: row, Name: "forty-years-of-ledgers.pdf", Size: "2.4 MB", Address: here,
			When: "14 May 2027, 18:00", Versions: "2 versions"}},
		Archive: here, Groupings: []components.Option{{Value: "task", Name: "Task"}, {Value: "day", Name: "Day"}}, Size: "2.4 MB"}
}
