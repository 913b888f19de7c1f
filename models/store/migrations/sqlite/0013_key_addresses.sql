-- +goose Up
-- Where keys were used from, so that another address can be told.
CREATE TABLE key_addresses (
    api_key_id text NOT NULL REFERENCES api_keys ON DELETE CASCADE,
    address    text NOT NULL,
    since      text NOT NULL,
    PRIMARY KEY (api_key_id, address)
);

-- +goose Down
DROP TABLE key_addresses;
