-- What we tell apps by webhook. All of it is control plane: what is due is claimed over all integrations at once, which a
-- distributed table cannot do. A transaction that also writes to the data plane commits both together (commit_guard).

alter table webhook_subscriptions
  -- Version 1.0 names one event; 2.0 names several, or all with '*'.
  alter column event drop not null,
  add column events text[] not null default '{}',
  add column description text,
  -- Since when every attempt has failed; null after a success.
  add column failing_since timestamptz,
  add column disabled_at timestamptz,
  add column disabled_reason text check (disabled_reason in ('gone', 'failing')),
  add check (event is not null or events <> '{}');

-- Secrets that were replaced and still sign beside the new one, until they expire.
create table webhook_old_secrets (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhook_subscriptions (id),
  secret bytea not null,
  key_id text not null,
  expires_at timestamptz not null
);

create index webhook_old_secrets_webhook on webhook_old_secrets (webhook_id, expires_at);
create index webhook_old_secrets_key on webhook_old_secrets (key_id, id);

-- What has happened, written by the transaction that made it happen, if anybody listens. No foreign keys here and below:
-- they would cost a lookup for each row of a page, and what they point to is never deleted before these are.
create table webhook_events (
  id bigserial primary key,
  app_id bigint,
  integration_id bigint,
  type text not null,
  -- What it is about: events of one subject reach a webhook one after the other.
  subject text not null,
  -- JSON, as text: what is signed must be the same bytes each time.
  data text not null,
  created_at timestamptz not null default now()
);

-- One for each webhook that listens.
create table webhook_deliveries (
  id bigserial primary key,
  webhook_id bigint not null,
  event_id bigint not null,
  type text not null,
  subject text not null,
  state text not null check (state in ('pending', 'delivered', 'failed', 'held', 'cancelled')),
  -- When it is tried next; while somebody is at it, when they are given up.
  due_at timestamptz not null default now(),
  lease_until timestamptz,
  -- All attempts: also the fence of those who are at it.
  attempts integer not null default 0,
  -- Failures since it was last started: decides how long it waits.
  failures integer not null default 0,
  -- Whether the next attempt was asked for by somebody.
  replayed boolean not null default false,
  response_status integer,
  error text,
  delivered_at timestamptz,
  -- The transaction that wrote it: a reader who goes on behind the last it has seen must not overtake one that is
  -- still open.
  xid xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
) with (fillfactor = 80);

create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at, id) where state = 'pending';
create index webhook_deliveries_subject on webhook_deliveries (webhook_id, subject, id) where state = 'pending';
create index webhook_deliveries_feed on webhook_deliveries (webhook_id, xid, id);
create index webhook_deliveries_list on webhook_deliveries (webhook_id, id);

create table webhook_attempts (
  delivery_id bigint not null,
  number integer not null,
  trigger text not null check (trigger in ('schedule', 'replay')),
  response_status integer,
  -- The beginning of what the endpoint answered.
  response_body text,
  error text,
  duration_ms integer not null,
  at timestamptz not null,
  primary key (delivery_id, number)
);

-- A receiver of our own, to look at deliveries without having one.
create table webhook_catchers (
  app_id bigint primary key references apps (id),
  token text not null unique,
  expires_at timestamptz not null
);

create table caught_requests (
  id bigint generated always as identity primary key,
  app_id bigint not null references webhook_catchers (app_id) on delete cascade,
  headers jsonb not null,
  body text not null,
  received_at timestamptz not null default now()
);

create index caught_requests_app on caught_requests (app_id, id);
