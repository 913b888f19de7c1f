-- +goose Up
-- What another system said of a row when it was last brought from there: a hash for each field, as a JSON object.
CREATE TABLE imported_new (
    event_id  text NOT NULL REFERENCES events,
    kind      text NOT NULL CHECK (kind IN
        ('session', 'abstract', 'contact', 'break', 'metadata', 'question', 'round', 'person', 'review')),
    key       text NOT NULL,
    record_id text NOT NULL,
    said      text NOT NULL DEFAULT '{}',
    PRIMARY KEY (event_id, kind, key)
);
INSERT INTO imported_new (event_id, kind, key, record_id) SELECT event_id, kind, key, record_id FROM imported;
DROP TABLE imported;
ALTER TABLE imported_new RENAME TO imported;

-- +goose Down
CREATE TABLE imported_new (
    event_id  text NOT NULL REFERENCES events,
    kind      text NOT NULL CHECK (kind IN ('session', 'abstract', 'contact', 'break')),
    key       text NOT NULL,
    record_id text NOT NULL,
    PRIMARY KEY (event_id, kind, key)
);
INSERT INTO imported_new (event_id, kind, key, record_id) SELECT event_id, kind, key, record_id FROM imported
WHERE kind IN ('session', 'abstract', 'contact', 'break');
DROP TABLE imported;
ALTER TABLE imported_new RENAME TO imported;
