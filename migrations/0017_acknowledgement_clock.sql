-- When it was told that the platform will soon not wait any longer for the acknowledgement of an order: once for each.
-- The search is for a day of an integration's orders, or for those of its queue (orders_placed, orders_open), whichever are
-- fewer: no order pays for another index.
alter table orders add column acknowledgement_told_at timestamptz;

-- The integrations of a type, page by page.
create index integrations_type on integrations (type, id) where deleted_at is null;
