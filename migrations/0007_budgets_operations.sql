-- What a shop lets us ask of it, how its credentials fare, and what we have changed in it.

alter table credentials
  -- Times in a row that the platform gave no new tokens, or the shop did not take these; when that was last.
  add column failures int not null default 0,
  add column failed_at timestamptz;

-- What is left of a limit of a platform, per shop and limit: one bucket, shared by everybody who asks that shop. Unlogged:
-- after a crash of the database the buckets are full, and the platform's own answers correct them.
create unlogged table rate_budgets (
  key text primary key,
  capacity float8 not null,
  per_second float8 not null,
  tokens float8 not null,
  refilled_at timestamptz not null default now(),
  -- What the last one who asked has got; 0 if there was too little.
  granted float8 not null default 0,
  -- Handed out in advance and perhaps not spent yet: so much less fits into the bucket.
  leased float8 not null default 0,
  leased_until timestamptz,
  blocked_until timestamptz
) with (fillfactor = 50);

create index rate_budgets_idle on rate_budgets (refilled_at);

-- Changes in shops. Each is written down before it is sent, so that what became of it can be found out after a crash.
create table operations (
  integration_id bigint not null references integration_state (integration_id) on delete cascade,
  id bigserial not null,
  kind text not null,
  -- What makes two requests the same change.
  key text not null,
  -- Grows when the same change is wanted anew after the one before was done with.
  generation int not null default 1,
  status text not null check (status in ('planned', 'sent', 'confirmed', 'refused', 'unknown')),
  input jsonb not null,
  result jsonb,
  error text,
  attempts int not null default 0,
  -- Whoever is at it; nobody else is until then.
  holder text,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  sent_at timestamptz,
  -- Our own copy shows it as well, or nobody will ever ask again.
  settled_at timestamptz,
  primary key (integration_id, id),
  unique (integration_id, kind, key)
);

create index operations_open on operations (updated_at) where status in ('sent', 'unknown') and settled_at is null;
create index operations_age on operations (updated_at);
