-- +goose Up
-- What an embed has of its own, in place of the event's look: a colour (#RRGGBB, '' for the event's) and whether its
-- pages are light, dark, or as the reader's device says.
ALTER TABLE embeds ADD COLUMN accent text NOT NULL DEFAULT '' CHECK (accent = '' OR length(accent) = 7);
ALTER TABLE embeds ADD COLUMN ground text NOT NULL DEFAULT 'auto' CHECK (ground IN ('auto', 'light', 'dark'));

-- +goose Down
ALTER TABLE embeds DROP COLUMN ground;
ALTER TABLE embeds DROP COLUMN accent;
