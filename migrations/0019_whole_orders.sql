-- Everything that a shop says about an order, and words for orders that must not be sent yet, or any more.
alter table orders
  drop constraint orders_status_check,
  add constraint orders_status_check check (status in
    ('UNPAID', 'ON_HOLD', 'PENDING', 'ACKNOWLEDGED', 'SHIPPED', 'DELIVERED', 'REFUNDED', 'CANCELLED')) not valid,
  add column payment_status text,
  add column fulfillment_status text,
  add column hold_reason text,
  add column subtotal numeric,
  add column discount_total numeric,
  add column shipping_total numeric,
  add column tax_total numeric,
  add column fee_total numeric,
  add column refunded_total numeric,
  add column prices_include_tax boolean,
  add column shipping_method text,
  add column note text,
  add column admin_url text,
  add column ship_by timestamptz,
  add column fees jsonb not null default '[]',
  add column refunds jsonb not null default '[]',
  -- Until when a status that was set here stands although the shop does not show it; for ever where it cannot be notified.
  add column moved_here_until timestamptz;

-- What was stored before this: read anew from the shop's own record by a job, and then this index is empty.
create index orders_to_translate on orders (integration_id, id)
  where payment_status is null and remote_version is not null and deleted_at is null;
