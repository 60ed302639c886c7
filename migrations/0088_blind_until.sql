-- Orders of a shop that were placed before that may or may not be in what it shows: it was told something at a time when nobody knew what it showed.
alter table stock_links add column blind_until timestamptz;
