-- no transaction
-- needs: 0091
-- Messages of shops become partitions, so that old ones are dropped whole (0094): by eras of a few days. A message is known by what its
-- platform calls it, however late it is sent again, so that no range of times or ids can be part of that key. What is there is the first era.
-- Whether all rows are of it is looked at here, and indexes that name it are made, while writers go on.
set lock_timeout = '500ms';
alter table inbound_deliveries add column if not exists era bigint not null default 1;
alter table inbound_deliveries drop constraint if exists of_first_era;
alter table inbound_deliveries add constraint of_first_era check (era = 1) not valid;
alter table inbound_deliveries validate constraint of_first_era;
-- These wait for transactions, not for locks on the table: nobody queues up behind them.
set lock_timeout = '60s';
drop index if exists inbound_deliveries_key;
create unique index concurrently inbound_deliveries_key on inbound_deliveries (integration_id, delivery_id, era);
drop index if exists inbound_deliveries_place;
create unique index concurrently inbound_deliveries_place on inbound_deliveries (integration_id, id, era);
set lock_timeout = '500ms';
