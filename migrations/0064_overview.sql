-- What the overview of an app counts, over all of its shops and webhooks.
create index runs_made on runs (integration_id, created_at);
create index inbound_deliveries_failed on inbound_deliveries (integration_id, received_at) where outcome = 'failed';
create index webhook_deliveries_delivered on webhook_deliveries (webhook_id, delivered_at) include (created_at)
  where delivered_at is not null;
create index webhook_deliveries_failed on webhook_deliveries (webhook_id, updated_at) where state = 'failed';

-- Orders that have to leave by a certain time, and have not.
create index orders_ship_by on orders (integration_id, ship_by)
  where ship_by is not null and status in ('PENDING', 'ACKNOWLEDGED') and deleted_at is null;
