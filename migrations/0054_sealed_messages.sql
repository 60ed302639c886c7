-- What shops and callers have said of buyers, sealed with the key of the integration: the content of messages (headers, query and
-- body) with its size, and what went wrong with them; records set aside, with the reason; changes in shops, what was sent
-- and what was answered. The columns beside them stay empty, except for what finds the change of an order.
alter table inbound_deliveries
  add column private bytea,
  add column private_error bytea,
  add column size int;
alter table quarantine add column private bytea;
alter table operations
  add column private_input bytea,
  add column private_result bytea;
-- None gets any shorter.
alter table inbound_deliveries alter column private set storage external;
alter table quarantine alter column private set storage external;
alter table operations
  alter column private_input set storage external,
  alter column private_result set storage external;

-- Those from before, which a job seals by and by; empty afterwards.
create index inbound_deliveries_to_seal on inbound_deliveries (integration_id, id)
  where (private is null and length(body) > 0) or (error is not null and outcome is distinct from 'ignored');
create index quarantine_to_seal on quarantine (integration_id, kind, remote_id) where payload is not null;
create index operations_to_seal on operations (integration_id, id)
  where private_input is null or (private_result is null and (result is not null or error is not null));
