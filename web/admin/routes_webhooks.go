package admin

const (
	eventKeys  = event + "/keys"
	endpoints  = "/admin/endpoints"
	anEndpoint = endpoints + "/:endpoint"
	deliveries = "/admin/deliveries"
)

// webhooksRoutes are the addresses of what is told to other systems, and of the keys by which they ask.
var webhooksRoutes = []address{
	at(endpoints, allEvents, listEndpoints, nil),
	at(endpoints+"/new", allEvents, unmanaged(newEndpoint), unmanaged(makeEndpoint)),
	at(endpoints+"/check", allEvents, checkForm, check),
	at(anEndpoint, allEvents, found(endpoint, showEndpoint), nil),
	at(anEndpoint+"/test", allEvents, nil, unmanaged(found(endpoint, sendTest))),
	at(anEndpoint+"/activate", allEvents, nil, unmanaged(with(true, setEndpoint))),
	at(anEndpoint+"/deactivate", allEvents, nil, unmanaged(with(false, setEndpoint))),
	at(anEndpoint+"/rotate", allEvents, nil, unmanaged(rotateSecret)),
	at(anEndpoint+"/use-new-secret", allEvents, nil, unmanaged(useNewSecret)),
	at(anEndpoint+"/keep-old-secret", allEvents, nil, unmanaged(keepOldSecret)),
	at(anEndpoint+"/delete", allEvents, unmanaged(found(endpoint, askDeleteEndpoint)), unmanaged(deleteEndpoint)),
	at(deliveries, allEvents, tidy(listDeliveries), nil),
	at(eventKeys, organizer, listKeys, nil),
	at(eventKeys+"/new", organizer, newKey, makeKey),
	at(eventKeys+"/:key/revoke", organizer, found(key, askRevokeKey), found(key, revokeKey)),
}
