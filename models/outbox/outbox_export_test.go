package outbox

// OutboxRows are the structs that gorm reads and writes, by their table.
var OutboxRows = map[string]any{
	"webhook_endpoints": WebhookEndpoint{}, "emissions": Emission{}, "deliveries_due": deliveryDue{},
	"webhook_deliveries": Delivery{}, "leases": lease{},
}
