package outbox

// Rows are the structs of this package's tables; a test compares them with the schema.
var Rows = map[string]any{
	"webhook_endpoints": Endpoint{}, "emissions": Emission{}, "deliveries_due": deliveryDue{},
	"webhook_deliveries": Delivery{}, "leases": lease{},
}
