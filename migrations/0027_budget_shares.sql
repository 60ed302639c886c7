-- What each shop has left of its part of a bucket that all shops of one registration with a platform share. Unlogged, as the
-- buckets are.
create unlogged table budget_shares (
  key text not null,
  shop text not null,
  tokens float8 not null,
  refilled_at timestamptz not null default now(),
  wanted_at timestamptz not null default now(),
  primary key (key, shop)
) with (fillfactor = 50);

create index budget_shares_idle on budget_shares (wanted_at);
