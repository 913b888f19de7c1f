-- +goose Up
-- When people come and go is a moment; what was written so far stays as details of it.
ALTER TABLE event_contacts RENAME COLUMN arrival TO arrival_details;
ALTER TABLE event_contacts RENAME COLUMN departure TO departure_details;
ALTER TABLE event_contacts ADD COLUMN arrival text;
ALTER TABLE event_contacts ADD COLUMN departure text;
-- The directory is narrowed by how far it is with people at any event.
CREATE INDEX event_contacts_status ON event_contacts (organization_id, workflow_status, contact_id, event_id);

-- +goose Down
DROP INDEX event_contacts_status;
UPDATE event_contacts SET arrival_details = trim(strftime('%Y-%m-%d %H:%M UTC', arrival) || ' ' || arrival_details)
    WHERE arrival IS NOT NULL;
UPDATE event_contacts SET departure_details = trim(strftime('%Y-%m-%d %H:%M UTC', departure) || ' ' || departure_details)
    WHERE departure IS NOT NULL;
ALTER TABLE event_contacts DROP COLUMN arrival;
ALTER TABLE event_contacts DROP COLUMN departure;
ALTER TABLE event_contacts RENAME COLUMN arrival_details TO arrival;
ALTER TABLE event_contacts RENAME COLUMN departure_details TO departure;
