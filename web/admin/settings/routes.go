// Package settings serves the pages where staff set up an event: its name, days and rules, its tracks, rooms and tags,
// the look of its public pages, and its embeds. New events begin here too.
package settings

import "lectern/web/admin/visit"

const (
	eventLook    = visit.Event + "/look"
	lookPicture  = eventLook + "/pictures/:kind"
	metadataList = visit.Event + "/metadata/:family"
	metadataRow  = metadataList + "/:row"
	eventCopies  = "/admin/copies/"
	eventEmbeds  = visit.Event + "/embeds"
	anEmbed      = eventEmbeds + "/:embed"
)

// Routes are the addresses of an event's settings.
var Routes = []visit.Address{
	visit.At("/admin/events/new", visit.Owner, newEventForm, newEvent),
	visit.At(eventCopies+":original", visit.Owner, visit.Found(original, copyEventForm), visit.Found(original, copyEvent)),
	visit.At(visit.Event+"/settings", visit.Organizer, settingsForm, changeSettings),
	visit.At(visit.Event+"/metadata", visit.Viewer, listTracks, nil),
	visit.At(metadataList, visit.Viewer, visit.Found(family, listMetadata), nil),
	visit.At(metadataList, visit.Organizer, nil, visit.Found(family, addMetadata)),
	visit.At(metadataRow, visit.Viewer, visit.Found(row, findMetadata), nil),
	visit.At(metadataRow, visit.Organizer, nil, visit.Found(row, changeMetadata)),
	visit.At(metadataRow+"/move", visit.Organizer, nil, visit.Found(row, moveMetadata)),
	visit.At(metadataRow+"/delete", visit.Organizer, visit.Found(row, deleteMetadataForm),
		visit.Found(row, deleteMetadata)),
	visit.At(eventLook, visit.Organizer, lookForm, changeLook),
	visit.At(eventLook+"/preview", visit.Organizer, previewLook, nil),
	visit.At(eventLook+"/preview.css", visit.Organizer, previewStyle, nil),
	visit.At(eventLook+"/measures", visit.Organizer, measureLook, nil),
	visit.At(lookPicture, visit.Organizer, nil, visit.Found(lookKind, chooselookPicture)),
	visit.At(lookPicture+"/remove", visit.Organizer, nil, visit.Found(lookKind, removelookPicture)),
	visit.At(eventEmbeds, visit.Organizer, listEmbeds, nil),
	visit.At(eventEmbeds+"/new", visit.Organizer, newEmbedForm, newEmbed),
	visit.At(eventEmbeds+"/preview", visit.Organizer, previewEmbed, nil),
	visit.At(eventEmbeds+"/measures", visit.Organizer, measureEmbed, nil),
	visit.At(anEmbed, visit.Organizer, visit.Found(oneEmbed, editEmbedForm), visit.Found(oneEmbed, editEmbed)),
	visit.At(anEmbed+"/switch", visit.Organizer, nil, visit.Found(oneEmbed, switchEmbed)),
	visit.At(anEmbed+"/delete", visit.Organizer, visit.Found(oneEmbed, deleteEmbedForm),
		visit.Found(oneEmbed, deleteEmbed)),
}

// Uploads are the addresses of settings whose forms take files.
var Uploads = visit.Uploads{visit.TakesPhoto(lookPicture)}
