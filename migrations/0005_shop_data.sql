-- The data plane: what the shops hold. Every table here is keyed by integration_id first and refers only to tables keyed
-- the same way, so that Citus can distribute all of them side by side by that column. No triggers, no identity columns,
-- no foreign key into the control plane: these do not survive distribution (docs/decisions).

-- Written (never filled) by transactions that touch both planes; on Citus that makes their commit atomic.
create table commit_guard (
  id bigint primary key
);

-- The anchor of an integration's data: made with the integration, removed with it, and everything else with that.
create table integration_state (
  integration_id bigint primary key,
  app_id bigint,
  -- Grows with every claim of a run: a worker that was overtaken writes nothing.
  fence bigint not null default 0,
  cursor jsonb not null default '{}',
  last_run_at timestamptz,
  created_at timestamptz not null default now()
);

create table runs (
  integration_id bigint not null references integration_state (integration_id) on delete cascade,
  id bigserial not null,
  resource text not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  input jsonb not null default '{}',
  done bigint not null default 0,
  total bigint,
  result jsonb,
  error text,
  fence bigint,
  schedule_id bigint,
  flow_id bigint,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (integration_id, id)
);

create table products (
  integration_id bigint not null references integration_state (integration_id) on delete cascade,
  id bigserial not null,
  remote_id text,
  sku text not null,
  name text not null,
  description text,
  price numeric not null,
  currency text not null,
  quantity bigint,
  active boolean not null default true,
  images jsonb not null default '[]',
  variants jsonb not null default '[]',
  remote_status text,
  remote_version text,
  remote_payload jsonb,
  exported_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (integration_id, id),
  unique (integration_id, remote_id)
);

create index products_list on products (integration_id, id) where deleted_at is null;
create index products_sku on products (integration_id, sku);

create table orders (
  integration_id bigint not null references integration_state (integration_id) on delete cascade,
  id bigserial not null,
  remote_id text not null,
  number text,
  status text not null check (status in ('PENDING', 'ACKNOWLEDGED', 'SHIPPED', 'DELIVERED', 'CANCELLED')),
  currency text not null,
  total numeric not null,
  customer jsonb not null default '{}',
  billing_address jsonb,
  shipping_address jsonb,
  items jsonb not null default '[]',
  sandbox boolean not null default false,
  remote_status text,
  remote_version text,
  remote_payload jsonb,
  placed_at timestamptz,
  acknowledged_at timestamptz,
  cancelled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (integration_id, id),
  unique (integration_id, remote_id)
);

create index orders_list on orders (integration_id, id) where deleted_at is null;
create index orders_open on orders (integration_id, id) where deleted_at is null and acknowledged_at is null;
create index orders_status on orders (integration_id, status, id) where deleted_at is null;
create index orders_acknowledged on orders (integration_id, id) where deleted_at is null and acknowledged_at is not null;
create index orders_sandbox on orders (integration_id, id) where deleted_at is null and sandbox;
create index orders_number on orders (integration_id, number);
create index orders_made on orders (integration_id, created_at, id);
create index orders_changed on orders (integration_id, updated_at, id);
create index orders_placed on orders (integration_id, placed_at, id);

create table order_history (
  integration_id bigint not null,
  id bigserial not null,
  order_id bigint not null,
  status text not null,
  remote_status text,
  source text not null,
  note text,
  at timestamptz not null default now(),
  -- Never asked for without its order, so one index will do. No foreign key: it would cost two thirds of every entry, and
  -- orders are deleted for good only with all that an integration holds.
  primary key (integration_id, order_id, id)
);

create table shipments (
  integration_id bigint not null,
  id bigserial not null,
  order_id bigint not null,
  remote_id text,
  tracking_number text not null,
  carrier text not null,
  tracking_url text,
  status text not null,
  items jsonb not null default '[]',
  shipped_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (integration_id, id),
  unique (integration_id, order_id, tracking_number),
  foreign key (integration_id, order_id) references orders (integration_id, id) on delete cascade
);

create table inventory (
  integration_id bigint not null references integration_state (integration_id) on delete cascade,
  sku text not null,
  -- '' where the shop knows only one place.
  location text not null default '',
  quantity bigint not null,
  remote_id text,
  updated_at timestamptz not null default now(),
  primary key (integration_id, sku, location)
);

-- What the shops told us by themselves, each message once, as it came: it is worked on later.
create table inbound_deliveries (
  integration_id bigint not null references integration_state (integration_id) on delete cascade,
  -- The platform's own, or the hash of the message.
  delivery_id text not null,
  topic text,
  headers jsonb not null default '{}',
  query jsonb not null default '{}',
  body bytea not null,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  primary key (integration_id, delivery_id)
);

create index inbound_deliveries_age on inbound_deliveries (received_at);

-- What happened, for people. Months are partitions: old ones are dropped whole.
create table integration_logs (
  integration_id bigint not null,
  at timestamptz not null default now(),
  id bigserial not null,
  run_id bigint,
  level text not null check (level in ('info', 'warning', 'error')),
  event text not null,
  message text not null,
  context jsonb,
  primary key (integration_id, at, id)
) partition by range (at);

-- Takes what no month has been made for, so that a forgotten month never loses an entry.
create table integration_logs_default partition of integration_logs default;

-- The first months; a job makes the later ones ahead of their time.
do $$
declare
  month timestamp;
begin
  for n in 0..2 loop
    month := date_trunc('month', now() at time zone 'UTC') + make_interval(months => n);
    execute format(
      'create table %I partition of integration_logs for values from (%L) to (%L)',
      to_char(month, '"integration_logs_y"YYYY"m"MM'),
      to_char(month, 'YYYY-MM-DD 00:00:00+00'),
      to_char(month + interval '1 month', 'YYYY-MM-DD 00:00:00+00')
    );
  end loop;
end $$;

-- How many rows a list holds: in all (bucket -1), per range of 1024 ids (bucket 0 and up) and per range of 131072 ids
-- (bucket -2 and down). So both the total of a list and the place where a deep page begins are known without counting.
create table row_counters (
  integration_id bigint not null references integration_state (integration_id) on delete cascade,
  kind text not null,
  bucket bigint not null,
  n bigint not null,
  primary key (integration_id, kind, bucket)
) with (fillfactor = 70);
