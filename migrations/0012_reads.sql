-- Reading what is held: what changed since, which run an entry of the history came from, and answers to repeated requests.

-- A level that the shop has no longer stays, marked, so that whoever follows the changes hears of it.
alter table inventory add column deleted_at timestamptz;

-- For whoever follows the changes: in the order in which they are read. Orders have theirs.
create index products_changed on products (integration_id, updated_at, id);
create index shipments_changed on shipments (integration_id, updated_at, id);
create index inventory_changed on inventory (integration_id, updated_at, sku, location);

-- The run that brought it; null for what was done here.
alter table order_history add column run_id bigint;

-- Answers to requests that carried an Idempotency-Key, for a day. Control plane: keyed by the caller.
create table idempotency_keys (
  id bigint generated always as identity primary key,
  caller text not null,
  -- Of the key as it was sent: it may be anything, and nobody needs to read it.
  key_hash bytea not null,
  -- Of method, address and body: another request under the same key is refused.
  fingerprint bytea not null,
  -- Whoever is at it. A process that dies lets go of it when the time is over.
  holder uuid,
  locked_until timestamptz,
  status int,
  -- Sealed, since answers hold secrets that are shown once.
  answer bytea,
  key_id text,
  created_at timestamptz not null default now(),
  unique (caller, key_hash)
);

create index idempotency_keys_age on idempotency_keys (created_at);

-- A parcel is asked for by the number on it.
create index shipments_tracking on shipments (integration_id, tracking_number);

-- What became of the messages to apps about one record, for its passport.
create index webhook_events_subject on webhook_events (subject, id);
create index webhook_deliveries_event on webhook_deliveries (event_id);

-- Lists of parcels are counted like those of orders from now on (see row_counters): what is there already is counted here.
insert into row_counters (integration_id, kind, bucket, n)
select integration_id, 'shipments', bucket, count(*)
from (select integration_id, unnest(array[-1, -2 - id / 131072, id / 1024]) as bucket from shipments) counted
group by integration_id, bucket;
