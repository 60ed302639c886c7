-- What a shop was seen to show instead of what it was told, and what became of it: the picture of an article has it over time.
create table stock_sightings (
  id bigint generated always as identity primary key,
  link_id bigint not null references stock_links (id) on delete cascade,
  at timestamptz not null default now(),
  expected bigint not null,
  found bigint not null,
  -- Null where it was only seen: an order may explain it.
  resolution text check (resolution in ('believed', 'corrected'))
);
create index stock_sightings_link on stock_sightings (link_id, id);
create index stock_sightings_at on stock_sightings (at);
