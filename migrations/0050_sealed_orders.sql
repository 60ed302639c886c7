-- What customer data is sealed with, one key for each integration, wrapped by the master keys. Destroying a row erases what
-- it has sealed. A table of its own, so that a backup can do without it (docs/guides/operate.md).
create table privacy_keys (
  integration_id bigint primary key references integration_state (integration_id) on delete cascade,
  sealed bytea not null,
  key_id text not null,
  created_at timestamptz not null default now()
);

-- Who bought, where it goes and what was written, sealed as one record; a keyed hash of it, by which it is compared; what it
-- can be found by, hashed word by word; and the shop's own record, sealed by itself, since lists never read it.
alter table orders
  add column private bytea,
  add column private_digest bytea,
  add column private_words bigint[],
  add column remote_record bytea;
-- Neither gets any shorter.
alter table orders alter column private set storage external, alter column remote_record set storage external;

-- The hashes are of the integration's key: no two integrations share one.
create index orders_words on orders using gin (private_words);
-- Those from before, which a job seals by and by; empty afterwards.
create index orders_to_seal on orders (integration_id, id) where private is null and redacted_at is null;
