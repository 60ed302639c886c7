-- What callers have written into the history of an order, sealed with the key of the integration.
alter table order_history add column private bytea;
alter table order_history alter column private set storage external;

-- Those from before, which a job seals by and by; empty afterwards.
create index order_history_to_seal on order_history (integration_id, order_id, id)
  where note is not null and source in ('api', 'shipment');
