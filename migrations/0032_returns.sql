-- What buyers send back, as the shop tells it. Old rows get theirs at the next read.
alter table orders add column returns jsonb not null default '[]';
