-- A shop that said yes has accepted a level; it is confirmed once the shop has shown it.
alter table stock_links add column accepted_at timestamptz;
update stock_links set accepted_at = confirmed_at where confirmed_at is not null;
alter table stock_tellings add column accepted_at timestamptz;
create index stock_links_unconfirmed on stock_links (integration_id, accepted_at)
  where accepted_at is not null and confirmed_at is null;

-- Pieces of the article in one unit of the line, and units that were refunded before they had left.
alter table stock_order_lines add column per_unit bigint not null default 1;
alter table stock_order_lines add column dropped bigint not null default 0;
