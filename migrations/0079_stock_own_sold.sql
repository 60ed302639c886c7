-- While it is not known what a shop shows: what it shows at least, and what it has sold itself since then.
alter table stock_links add column at_least bigint;
alter table stock_links add column own_sold bigint not null default 0;
-- When an order of the shop last took something, give or take half a minute: what sells is read more often.
alter table stock_shops add column sold_at timestamptz;
