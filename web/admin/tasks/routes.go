// Package tasks serves the pages where staff ask speakers for tasks between acceptance and the stage, see everybody's
// progress, check what is handed in, and remind people. They are for organizers alone: what is handed in may be
// private.
package tasks

import "lectern/web/admin/visit"

const (
	theTasks      = visit.Event + "/tasks"
	aTask         = theTasks + "/:task"
	aDeliverable  = aTask + "/:owner"
	aFileInStead  = aDeliverable + "/file"
	aVersion      = aDeliverable + "/versions/:version"
	listOfTasks   = theTasks + "/list"
	remindsPeople = theTasks + "/remind"
	theFiles      = theTasks + "/files"
)

// Routes are the addresses of tasks. Fixed paths stand before those with an id.
var Routes = []visit.Address{
	visit.At(theTasks, visit.Organizer, visit.Tidy(showBoard), nil),
	visit.At(theTasks+"/views", visit.Organizer, nil, keepView),
	visit.At(theTasks+"/views/:view/delete", visit.Organizer, nil, dropView),
	visit.At(theTasks+".csv", visit.Organizer, exportBoard, nil),
	visit.At(listOfTasks, visit.Organizer, listTasks, nil),
	visit.At(theFiles, visit.Organizer, visit.Tidy(listFiles), nil),
	visit.At(theFiles+".zip", visit.Organizer, sendFiles, nil),
	visit.At(theTasks+"/new", visit.Organizer, newTaskForm, makeTask),
	visit.At(theTasks+"/check", visit.Organizer, nextToCheck, nil),
	visit.At(remindsPeople, visit.Organizer, askRemind, remind),
	visit.At(theTasks+"/give", visit.Organizer, nil, giveFromRecord),
	visit.At(aTask+"/give", visit.Organizer, visit.Found(theTask, showGive), visit.Found(theTask, give)),
	visit.At(aTask+"/edit", visit.Organizer, visit.Found(theTask, editTaskForm), visit.Found(theTask, editTask)),
	visit.At(aTask+"/delete", visit.Organizer, visit.Found(theTask, askDelete), visit.Found(theTask, deleteTask)),
	visit.At(aTask+"/move", visit.Organizer, nil, visit.Found(theTask, moveTask)),
	visit.At(aDeliverable, visit.Organizer, visit.Found(deliverable, showDeliverable), nil),
	visit.At(aDeliverable+"/decide", visit.Organizer, nil, visit.Found(deliverable, decide)),
	visit.At(aDeliverable+"/take-back", visit.Organizer, nil, visit.Found(deliverable, takeBack)),
	visit.At(aDeliverable+"/extend", visit.Organizer, nil, visit.Found(deliverable, extend)),
	visit.At(aDeliverable+"/comment", visit.Organizer, nil, visit.Found(deliverable, comment)),
	visit.At(aFileInStead, visit.Organizer, nil, visit.Found(deliverable, uploadInStead)),
	visit.At(aDeliverable+"/link", visit.Organizer, nil, visit.Found(deliverable, linkInStead)),
	visit.At(aDeliverable+"/latest", visit.Organizer, nil, visit.Found(deliverable, makeLatest)),
	visit.At(aVersion, visit.Organizer, downloadVersion, nil),
	visit.At(aVersion+"/preview", visit.Organizer, previewVersion, nil),
}

// Uploads are the addresses of tasks whose forms take files.
var Uploads = visit.Uploads{visit.TakesFile(aFileInStead, mostBytes+visit.FormRoom)}
