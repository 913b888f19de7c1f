package outbox

// Rows are the structs that gorm reads and writes, by their table.
var Rows = map[string]any{
	"webhook_endpoints": Endpoint{}, "emissions": Emission{}, "deliveries_due": deliveryDue{},
	"webhook_deliveries": Delivery{}, "leases": lease{},
}
