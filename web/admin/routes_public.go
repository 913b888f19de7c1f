package admin

const (
	eventEmbeds = event + "/embeds"
	anEmbed     = eventEmbeds + "/:embed"
)

// inPublic are those of what everybody sees of an event: how it looks, and where else it is shown.
var inPublic = []address{
	{eventLook, organizer, lookForm, changeLook},
	{eventLook + "/preview", organizer, previewLook, nil},
	{eventLook + "/preview.css", organizer, previewStyle, nil},
	{eventLook + "/measures", organizer, measureLook, nil},
	{lookPicture, organizer, nil, found(lookKind, chooseLookPicture)},
	{lookPicture + "/remove", organizer, nil, found(lookKind, removeLookPicture)},
	{eventEmbeds, organizer, listEmbeds, nil},
	{eventEmbeds + "/new", organizer, newEmbedForm, newEmbed},
	{anEmbed, organizer, found(oneEmbed, editEmbedForm), found(oneEmbed, editEmbed)},
	{anEmbed + "/switch", organizer, nil, found(oneEmbed, switchEmbed)},
	{anEmbed + "/delete", organizer, found(oneEmbed, deleteEmbedForm), found(oneEmbed, deleteEmbed)},
}
