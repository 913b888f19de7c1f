-- +goose Up
-- What is searched is folded in the program. A row names a table whose rows wait to be
-- folded anew, and the id up to which that is done.
CREATE TABLE folding (
    name text COLLATE "C" PRIMARY KEY CHECK (name IN ('contacts', 'metadata', 'sessions')),
    done text COLLATE "C" NOT NULL
);
INSERT INTO folding VALUES ('contacts', ''), ('metadata', ''), ('sessions', '');

-- +goose Down
DROP TABLE folding;
