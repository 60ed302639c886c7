-- What a shop gave to ask after a change with, where it takes its time over it.
alter table operations add column receipt text;
