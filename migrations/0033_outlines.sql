-- Known in outline only, or in an older version than the shop has: the rest is being read.
alter table orders add column incomplete boolean not null default false;

-- What may still have to be sent first, then the newest.
create index orders_incomplete on orders
  (integration_id, (status in ('SHIPPED', 'DELIVERED', 'REFUNDED', 'CANCELLED')), placed_at desc)
  where incomplete and deleted_at is null;
