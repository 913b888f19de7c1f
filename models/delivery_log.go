package models

import (
	"context"

	"gorm.io/gorm"
)

// DeliveryFilter narrows the delivery log; what is zero does not.
type DeliveryFilter struct {
	EventType  EmissionType
	WebhookID  string
	EmissionID string
	Outcome    Outcome
}

// Deliveries returns a page of the organization's delivery log, newest first.
func (s *Store) Deliveries(ctx context.Context, organizationID string, f DeliveryFilter, page Page) ([]*Delivery, Pagination, error) {
	if err := page.clean(); err != nil {
		return nil, Pagination{}, err
	}
	query := s.read(ctx).Model(&Delivery{}).Where("organization_id = ?", organizationID)
	for column, value := range map[string]string{
		"event_type": string(f.EventType), "webhook_id": f.WebhookID, "emission_id": f.EmissionID, "outcome": string(f.Outcome),
	} {
		if value != "" {
			query = query.Where(column+" = ?", value)
		}
	}
	query = query.Session(&gorm.Session{})
	var total int64
	if err := query.Count(&total).Error; err != nil {
		return nil, Pagination{}, err
	}
	rows := []*Delivery{}
	err := query.Order("created_at DESC, id DESC").Limit(page.Size).Offset(page.offset()).Find(&rows).Error
	return rows, page.Of(total), err
}
