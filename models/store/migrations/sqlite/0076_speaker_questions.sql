-- +goose Up
-- A question is asked of the proposal or of each speaker. Answers to the latter are their own, at this event: organizers
-- read them, and where it is open everybody who sees the people of the event.
ALTER TABLE call_questions ADD COLUMN asked_of text NOT NULL DEFAULT 'proposal' CHECK (asked_of IN ('proposal', 'speaker'));
ALTER TABLE call_questions ADD COLUMN is_open boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX call_questions_event ON call_questions (event_id, id);

CREATE TABLE speaker_answers (
    event_id    text NOT NULL,
    question_id text NOT NULL,
    contact_id  text NOT NULL,
    value       text NOT NULL CHECK (value <> ''),
    search      text NOT NULL,
    file_id     text REFERENCES files (id) CHECK (file_id = value),
    PRIMARY KEY (question_id, contact_id),
    FOREIGN KEY (event_id, question_id) REFERENCES call_questions (event_id, id),
    FOREIGN KEY (event_id, contact_id) REFERENCES event_contacts (event_id, contact_id)
);
CREATE INDEX speaker_answers_contact ON speaker_answers (contact_id);
CREATE INDEX speaker_answers_person ON speaker_answers (event_id, contact_id);
CREATE INDEX speaker_answers_file ON speaker_answers (file_id) WHERE file_id IS NOT NULL;

-- +goose Down
INSERT INTO file_leftovers SELECT key, created_at FROM files WHERE id IN (SELECT file_id FROM speaker_answers);
CREATE TEMPORARY TABLE answered AS SELECT file_id FROM speaker_answers WHERE file_id IS NOT NULL;
DROP TABLE speaker_answers;
DELETE FROM files WHERE id IN (SELECT file_id FROM answered);
DROP TABLE answered;
DELETE FROM call_questions WHERE asked_of = 'speaker';
DROP INDEX call_questions_event;
ALTER TABLE call_questions DROP COLUMN is_open;
ALTER TABLE call_questions DROP COLUMN asked_of;
