-- Set in the transaction that does the work of the request: from then on a key is never free again while it is kept,
-- whatever becomes of the answer.
alter table idempotency_keys
  add column committed_at timestamptz,
  add column bytes int generated always as (octet_length(answer)) stored;

-- How much is kept for one caller, without looking at the answers themselves.
create index idempotency_keys_bytes on idempotency_keys (caller) include (bytes);
