// Package webhooks serves the pages of webhook endpoints, the log of their deliveries, and API keys.
package webhooks

import "lectern/web/admin/visit"

const (
	eventKeys  = visit.Event + "/keys"
	endpoints  = "/admin/endpoints"
	anEndpoint = endpoints + "/:endpoint"
	deliveries = "/admin/deliveries"
)

// Routes are the addresses of endpoints, deliveries and keys.
var Routes = []visit.Address{
	visit.At(endpoints, visit.AllEvents, listEndpoints, nil),
	visit.At(endpoints+"/new", visit.AllEvents, unmanaged(newEndpoint), unmanaged(makeEndpoint)),
	visit.At(endpoints+"/check", visit.AllEvents, checkForm, check),
	visit.At(anEndpoint, visit.AllEvents, visit.Found(endpoint, showEndpoint), nil),
	visit.At(anEndpoint+"/test", visit.AllEvents, nil, unmanaged(visit.Found(endpoint, sendTest))),
	visit.At(anEndpoint+"/activate", visit.AllEvents, nil, unmanaged(visit.With(true, setEndpoint))),
	visit.At(anEndpoint+"/deactivate", visit.AllEvents, nil, unmanaged(visit.With(false, setEndpoint))),
	visit.At(anEndpoint+"/rotate", visit.AllEvents, nil, unmanaged(rotateSecret)),
	visit.At(anEndpoint+"/use-new-secret", visit.AllEvents, nil, unmanaged(useNewSecret)),
	visit.At(anEndpoint+"/keep-old-secret", visit.AllEvents, nil, unmanaged(keepOldSecret)),
	visit.At(anEndpoint+"/delete", visit.AllEvents, unmanaged(visit.Found(endpoint, askDeleteEndpoint)),
		unmanaged(deleteEndpoint)),
	visit.At(deliveries, visit.AllEvents, visit.Tidy(listDeliveries), nil),
	visit.At(eventKeys, visit.Organizer, listKeys, nil),
	visit.At(eventKeys+"/new", visit.Organizer, newKey, makeKey),
	visit.At(eventKeys+"/:api_key/revoke", visit.Organizer, visit.Found(key, askRevokeKey), visit.Found(key, revokeKey)),
}
