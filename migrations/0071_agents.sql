-- Agents: programs that a person lets act for an app, each within bounds. Their clients register themselves and are nobody's
-- record until somebody lets one in, so they lie apart from the clients that apps have made.

create table agent_clients (
  -- Of the same numbers as other clients: an entry of the audit trail names exactly one of them.
  id bigint primary key default nextval(pg_get_serial_sequence('oauth_clients', 'id')),
  public_id uuid not null unique,
  name text not null,
  uri text,
  redirect_uris text[] not null,
  -- Where it was registered from, for the bound on registrations; never the address itself.
  address_hash bytea not null,
  created_at timestamptz not null default now(),
  -- When somebody first let it in. Those that nobody let in are deleted after a day.
  used_at timestamptz
);

create index agent_clients_address on agent_clients (address_hash, created_at);
create index agent_clients_unused on agent_clients (created_at) where used_at is null;

create table agent_grants (
  id bigint generated always as identity primary key,
  client_id bigint not null references agent_clients (id),
  user_id bigint not null references users (id),
  app_id bigint not null references apps (id),
  -- Null is every shop of the app, also those to come.
  shops bigint[],
  tools text[] not null,
  customer_data boolean not null default false,
  calls_per_hour integer not null check (calls_per_hour between 1 and 10000),
  writes_per_day integer not null check (writes_per_day between 0 and 10000),
  -- What was used of both, since when.
  hour timestamptz,
  calls integer not null default 0,
  day timestamptz,
  writes integer not null default 0,
  created_at timestamptz not null default now(),
  -- When the client took its first token; until then there is nothing to end.
  begun_at timestamptz,
  last_used_at timestamptz,
  ended_at timestamptz
);

create index agent_grants_app on agent_grants (app_id, id);
create index agent_grants_user on agent_grants (user_id) where ended_at is null;
create index agent_grants_client on agent_grants (client_id);
create index agent_grants_unbegun on agent_grants (created_at) where begun_at is null;

create table agent_tokens (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  grant_id bigint not null references agent_grants (id) on delete cascade,
  kind text not null check (kind in ('code', 'access', 'refresh')),
  -- Of a code: where it was sent, and what its holder proves with.
  redirect_uri text,
  challenge text,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);

create index agent_tokens_grant on agent_tokens (grant_id);
create index agent_tokens_expiry on agent_tokens (expires_at);

-- What an agent wants changed, until a person has decided.
create table agent_proposals (
  id bigint generated always as identity primary key,
  grant_id bigint not null references agent_grants (id),
  app_id bigint not null references apps (id),
  client_id bigint not null references agent_clients (id),
  integration_id bigint,
  tool text not null,
  status text not null default 'waiting' check (status in ('waiting', 'approved', 'done', 'failed', 'refused', 'expired')),
  -- What is asked of which endpoint, word for word, and what it has answered; it may name a buyer, so it is sealed.
  sealed bytea not null,
  key_id text not null,
  -- The same wish again, while it waits, is the same proposal.
  wish bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  decided_at timestamptz,
  decided_by bigint references users (id),
  finished_at timestamptz
);

create index agent_proposals_app on agent_proposals (app_id, id);
create index agent_proposals_grant on agent_proposals (grant_id, id);
create index agent_proposals_created on agent_proposals (created_at);
create unique index agent_proposals_wish on agent_proposals (grant_id, wish) where status = 'waiting';

-- Tools that change something which the app lets agents use without asking a person.
alter table apps add column agent_writes text[] not null default '{}';
