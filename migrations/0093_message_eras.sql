-- no transaction
-- needs: 0083
-- Messages of shops become partitions, so that old ones are dropped whole (0094): by eras of a few days. A message is known by what its
-- platform calls it, however late it is sent again, so that no range of times or ids can be part of that key. What is there is the first era:
-- programs from before go on storing messages in it by the default. Whether all rows are of it is looked at here, while writers go on.
alter table inbound_deliveries add column if not exists era bigint not null default 1;
alter table inbound_deliveries drop constraint if exists of_first_era;
alter table inbound_deliveries add constraint of_first_era check (era = 1) not valid;
alter table inbound_deliveries validate constraint of_first_era;
