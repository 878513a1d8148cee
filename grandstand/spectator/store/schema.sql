-- Format 1 of the record in PostgreSQL. `next` is the number of the next event, `epoch` that of the owner of an
-- episode's numbers; a server that owns a match has its lease in `owner`, `owner_url` and `expires`.
CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL);
INSERT INTO schema_version SELECT 1 WHERE NOT EXISTS (SELECT FROM schema_version);
CREATE TABLE IF NOT EXISTS episodes (
    episode_id text PRIMARY KEY,
    game       text NOT NULL,
    status     text NOT NULL,
    created_at double precision NOT NULL,
    summary    json NOT NULL,
    epoch      bigint NOT NULL,
    next       integer NOT NULL,
    owner      text,
    owner_url  text,
    expires    timestamptz NOT NULL DEFAULT 'infinity'
);
CREATE INDEX IF NOT EXISTS episodes_by_age ON episodes (created_at DESC, episode_id DESC);
CREATE INDEX IF NOT EXISTS episodes_by_lease ON episodes (expires) WHERE expires < 'infinity';
CREATE TABLE IF NOT EXISTS events (
    episode_id text NOT NULL,
    seq        integer NOT NULL,
    epoch      bigint NOT NULL,
    at         double precision NOT NULL,
    type       text NOT NULL,
    audience   json NOT NULL,
    data       json NOT NULL,
    PRIMARY KEY (episode_id, seq)
);
CREATE INDEX IF NOT EXISTS seats_by_token ON events ((data ->> 'token_sha256')) WHERE type = 'SeatOpened';
CREATE INDEX IF NOT EXISTS reports_by_time ON events (at)
    WHERE type IN ('PlayerReported', 'CommentatorReported', 'PrivateBatch');
CREATE TABLE IF NOT EXISTS requests (
    key        text PRIMARY KEY,
    body       text NOT NULL,
    episode_id text NOT NULL,
    at         double precision NOT NULL
);
CREATE INDEX IF NOT EXISTS requests_by_age ON requests (at);
CREATE TABLE IF NOT EXISTS drafts (
    episode_id text NOT NULL,
    seat       text NOT NULL,
    turn       integer NOT NULL,
    action     text NOT NULL,
    ready      boolean NOT NULL,
    PRIMARY KEY (episode_id, seat)
);
CREATE TABLE IF NOT EXISTS servers (
    id      text PRIMARY KEY,
    url     text NOT NULL,
    role    text NOT NULL,
    expires timestamptz NOT NULL
);
CREATE TABLE IF NOT EXISTS duties (
    name    text PRIMARY KEY,
    owner   text NOT NULL,
    expires timestamptz NOT NULL
);
