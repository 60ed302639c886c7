-- Columns of an order that were changed here: what the shop says about them no longer counts.
alter table orders add column kept_here text[] not null default '{}';
