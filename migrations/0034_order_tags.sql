-- Tags that the shop keeps with an order. Old rows get theirs at the next read.
alter table orders add column tags jsonb not null default '[]';
