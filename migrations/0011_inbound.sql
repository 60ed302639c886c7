-- Messages from shops: how they are asked for, in which order they are worked on, and what became of them.

-- What is registered in each shop, and with which secret the shop signs. Sealed: the secret that holds, and the one
-- before it while one replaces the other.
create table shop_webhooks (
  integration_id bigint primary key references integrations (id),
  -- Where the shop was told to send to.
  address text not null,
  sealed bytea not null,
  key_id text not null,
  secret_made_at timestamptz not null default now(),
  -- As the platform names them.
  topics jsonb not null default '[]',
  -- Null until what the shop holds has been made with the newest secret.
  registered_at timestamptz,
  checked_at timestamptz,
  next_check_at timestamptz not null default now(),
  failures int not null default 0,
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index shop_webhooks_due on shop_webhooks (next_check_at);
create index shop_webhooks_key on shop_webhooks (key_id, integration_id);

alter table integrations
  -- What the integration shows of it, so that a list needs no join.
  add column webhooks jsonb;

alter table inbound_deliveries
  -- Grows in the order of arrival; names the message in paths.
  add column id bigserial not null,
  -- Whether the platform's signature was on it; false for what somebody with a token has handed in.
  add column verified boolean not null default true,
  -- What it is about: the kind of record and the shop's id of it, the first one if there are several.
  add column kind text,
  add column remote_id text,
  add column attempts int not null default 0,
  add column next_attempt_at timestamptz not null default now(),
  -- stored, unchanged, removed, acted, ignored, failed; null until it has been worked on.
  add column outcome text,
  add column error text;

create unique index inbound_deliveries_id on inbound_deliveries (integration_id, id);
create index inbound_deliveries_waiting on inbound_deliveries (integration_id, id) where processed_at is null;
create index inbound_deliveries_subject on inbound_deliveries (integration_id, kind, remote_id) where remote_id is not null;

-- Who works on the messages of an integration: one at a time, so that what was asked first is stored first.
create table inbound_work (
  integration_id bigint primary key references integration_state (integration_id) on delete cascade,
  holder text,
  lease_until timestamptz not null,
  -- Times in a row that whoever was at it did not come back.
  vain int not null default 0
);

-- Who bought is forgotten, and stays so whatever the shop tells later.
alter table orders add column redacted_at timestamptz;

-- Platforms ask us to forget a customer without saying which shops know them.
create index orders_customer on orders ((customer ->> 'remote_id'), integration_id) where customer ->> 'remote_id' is not null;
