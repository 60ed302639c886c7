-- Orders whose buyer was erased, by a keyed hash of the shop's own id: whatever the shop says of them later is stored without
-- the buyer. They outlive the orders, which a purge deletes, and the key of customer data, which it destroys.
alter table integration_state add column tombstone_key bytea;
create table erased_orders (
  integration_id bigint not null references integration_state (integration_id) on delete cascade,
  remote_hash bytea not null,
  at timestamptz not null default now(),
  primary key (integration_id, remote_hash)
);

-- Arrived before the person was erased whom it names, and not processed yet: emptied as soon as it is.
alter table inbound_deliveries add column forget boolean not null default false;

-- Somebody is to be forgotten in all shops of an account. What was said of them is not kept.
create table erasures (
  id bigint generated always as identity primary key,
  app_id bigint references apps (id),
  account_id bigint,
  -- Who asked for it, and by what: 'email', 'phone', 'customer_id'.
  requested_by text not null check (requested_by in ('app', 'account', 'platform')),
  named_by text[] not null,
  created_at timestamptz not null default now(),
  completed_at timestamptz
);
create index erasures_open on erasures (id) where completed_at is null;
create index erasures_account on erasures (app_id, account_id, id);

-- How far it is in each shop. The hashes are of the shop's own key, and are gone when it is done.
create table erasure_shops (
  erasure_id bigint not null references erasures (id) on delete cascade,
  integration_id bigint not null,
  -- Each of them names the person by itself.
  words bigint[] not null,
  -- What else texts may name the person by: read off the orders.
  phrases bigint[] not null default '{}',
  -- The table it is at, and the place in it.
  at_table text,
  after text,
  touched jsonb not null default '{}',
  -- Rows that are still needed, such as a change that is being sent to the shop: they are looked at again later.
  waiting int not null default 0,
  completed_at timestamptz,
  primary key (erasure_id, integration_id)
);
