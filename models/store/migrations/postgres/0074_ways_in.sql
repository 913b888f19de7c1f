-- +goose Up
-- Whoever has an address of somebody that opens has their place, and nobody else. Their own address always opens, an
-- alias only where it says so.
ALTER TABLE contact_aliases ADD COLUMN opens boolean NOT NULL DEFAULT false;
UPDATE contact_aliases SET opens = true WHERE EXISTS (SELECT 1 FROM speaker_accounts a
    WHERE a.contact_id = contact_aliases.contact_id AND a.email_key = contact_aliases.email_key AND a.confirmed_at IS NOT NULL);

-- email_key is the address that a link was mailed to, '' of one that staff copied. The browser that opened it first is
-- the SHA-256 of its name; any other one opens it until open_until.
ALTER TABLE speaker_links ADD COLUMN email_key text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE speaker_links ADD COLUMN browser text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE speaker_links ADD COLUMN open_until timestamptz(3);
-- When a link that was just mailed to the address was opened by this login.
ALTER TABLE speaker_logins ADD COLUMN proved_at timestamptz(3);

-- Accounts of addresses that are not their contact's any more, and claims of addresses of contacts that have one.
DELETE FROM speaker_accounts WHERE confirmed_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM contacts c WHERE c.id = speaker_accounts.contact_id AND c.email_key = speaker_accounts.email_key)
    AND NOT EXISTS (SELECT 1 FROM contact_aliases x
        WHERE x.contact_id = speaker_accounts.contact_id AND x.email_key = speaker_accounts.email_key);
DELETE FROM speaker_accounts WHERE confirmed_at IS NULL
    AND EXISTS (SELECT 1 FROM contacts c WHERE c.id = speaker_accounts.contact_id AND c.email_key <> '');
UPDATE speaker_links SET email_key = coalesce(
    (SELECT email_key FROM speaker_accounts a WHERE a.id = speaker_links.account_id),
    (SELECT email_key FROM co_speakers x WHERE x.id = speaker_links.co_speaker_id),
    (SELECT email_key FROM contacts c WHERE c.id = speaker_links.contact_id), '') WHERE by_name = '';

-- +goose Down
ALTER TABLE speaker_logins DROP COLUMN proved_at;
ALTER TABLE speaker_links DROP COLUMN open_until;
ALTER TABLE speaker_links DROP COLUMN browser;
ALTER TABLE speaker_links DROP COLUMN email_key;
ALTER TABLE contact_aliases DROP COLUMN opens;
