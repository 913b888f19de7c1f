package admin

const (
	eventLook    = event + "/look"
	lookPicture  = eventLook + "/pictures/:kind"
	metadataList = event + "/metadata/:family"
	metadataRow  = metadataList + "/:row"
	eventEmbeds  = event + "/embeds"
	anEmbed      = eventEmbeds + "/:embed"
)

// settingsRoutes are the addresses of an event itself: its settings, its tracks, rooms and tags, its look and its embeds.
var settingsRoutes = []address{
	at("/admin/events/new", owner, newEventForm, newEvent),
	at(event+"/settings", organizer, settingsForm, changeSettings),
	at(event+"/metadata", viewer, listTracks, nil),
	at(metadataList, viewer, found(family, listMetadata), nil),
	at(metadataList, organizer, nil, found(family, addMetadata)),
	at(metadataRow, viewer, found(row, findMetadata), nil),
	at(metadataRow, organizer, nil, found(row, changeMetadata)),
	at(metadataRow+"/move", organizer, nil, found(row, moveMetadata)),
	at(metadataRow+"/delete", organizer, found(row, deleteMetadataForm), found(row, deleteMetadata)),
	at(eventLook, organizer, lookForm, changeLook),
	at(eventLook+"/preview", organizer, previewLook, nil),
	at(eventLook+"/preview.css", organizer, previewStyle, nil),
	at(eventLook+"/measures", organizer, measureLook, nil),
	at(lookPicture, organizer, nil, found(lookKind, chooseLookPicture)),
	at(lookPicture+"/remove", organizer, nil, found(lookKind, removeLookPicture)),
	at(eventEmbeds, organizer, listEmbeds, nil),
	at(eventEmbeds+"/new", organizer, newEmbedForm, newEmbed),
	at(anEmbed, organizer, found(oneEmbed, editEmbedForm), found(oneEmbed, editEmbed)),
	at(anEmbed+"/switch", organizer, nil, found(oneEmbed, switchEmbed)),
	at(anEmbed+"/delete", organizer, found(oneEmbed, deleteEmbedForm), found(oneEmbed, deleteEmbed)),
}
