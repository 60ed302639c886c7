-- A parcel that the shop gave no number, or none yet, is a parcel: it is known by the shop's own id then. Rows of before
-- all have a number, so that nobody need look through them.
alter table shipments
  alter column tracking_number drop not null,
  add constraint shipments_known check (tracking_number is not null or remote_id is not null) not valid;

create unique index shipments_without_number on shipments (integration_id, order_id, remote_id)
  where tracking_number is null;

-- What is held for a webhook: what comes after it about the same subject waits, and it is let go when nobody holds it
-- any longer.
create index webhook_deliveries_held on webhook_deliveries (webhook_id, subject, id) where state = 'held';
