-- One stock for all shops of an account (decision 35). Control plane: a pool spans several integrations.
create table stock_pools (
  id bigint generated always as identity primary key,
  app_id bigint not null references apps (id),
  account_id bigint not null references accounts (id),
  -- dry: computed and shown, never sent. off: neither.
  mode text not null default 'dry' check (mode in ('dry', 'on', 'off')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index stock_pools_account on stock_pools (account_id);
create index stock_pools_app on stock_pools (app_id);

create table stock_places (
  id bigint generated always as identity primary key,
  pool_id bigint not null references stock_pools (id) on delete cascade,
  name text not null,
  created_at timestamptz not null default now()
);
create unique index stock_places_name on stock_places (pool_id, name);

-- A shop in the pool, and its rule.
create table stock_shops (
  integration_id bigint primary key,
  pool_id bigint not null references stock_pools (id) on delete cascade,
  -- Where its orders are taken from.
  place_id bigint not null references stock_places (id),
  active boolean not null default true,
  share_percent int not null default 100 check (share_percent between 0 and 100),
  margin bigint not null default 0 check (margin >= 0),
  cap bigint check (cap >= 0),
  minimum bigint not null default 0 check (minimum >= 0),
  multiple bigint not null default 1 check (multiple >= 1),
  -- The shop's location that is told, where it has several.
  location text,
  by_hand text not null default 'correct' check (by_hand in ('believe', 'correct')),
  restock_returns boolean not null default false,
  cancel_oversold boolean not null default false,
  joined_at timestamptz not null default now(),
  -- Whoever tells the shop what it is to show, one at a time.
  holder text,
  held_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index stock_shops_pool on stock_shops (pool_id, integration_id);

create table stock_articles (
  id bigint generated always as identity primary key,
  pool_id bigint not null references stock_pools (id) on delete cascade,
  sku text not null,
  barcode text,
  name text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index stock_articles_sku on stock_articles (pool_id, sku);
create index stock_articles_barcode on stock_articles (pool_id, barcode) where barcode is not null;
create index stock_articles_page on stock_articles (pool_id, id);

-- What a box or a bundle consists of. It has no stock of its own.
create table stock_parts (
  article_id bigint not null references stock_articles (id) on delete cascade,
  part_id bigint not null references stock_articles (id),
  quantity bigint not null check (quantity between 1 and 1000000),
  primary key (article_id, part_id),
  check (article_id <> part_id)
);
create index stock_parts_part on stock_parts (part_id);

-- Which variant of which shop an article is, and what that shop is to show of it.
create table stock_links (
  id bigint generated always as identity primary key,
  pool_id bigint not null references stock_pools (id) on delete cascade,
  article_id bigint not null references stock_articles (id) on delete cascade,
  integration_id bigint not null references stock_shops (integration_id) on delete cascade,
  -- The shop's id of the variant, or its SKU where it has none.
  remote_id text not null,
  sku text not null,
  location text not null default '',
  made_by text not null check (made_by in ('sku', 'barcode', 'hand', 'file')),
  wanted bigint,
  -- What we believe the shop shows; null where that is not known.
  shows bigint,
  due_at timestamptz,
  attempts int not null default 0,
  error text,
  -- The last value it was told: when it was sent, and when the shop had said yes.
  told bigint,
  sent_at timestamptz,
  confirmed_at timestamptz,
  -- An order of the shop came while it was being told: it may have been overwritten.
  doubt boolean not null default false,
  -- A level of the shop that differs from what we believe, and since when.
  seen bigint,
  seen_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index stock_links_variant on stock_links (integration_id, remote_id, sku);
create index stock_links_article on stock_links (article_id, id);
create index stock_links_due on stock_links (integration_id, due_at) where due_at is not null;
create index stock_links_seen on stock_links (integration_id, seen_at) where seen_at is not null;

create table stock_balances (
  article_id bigint not null references stock_articles (id) on delete cascade,
  place_id bigint not null references stock_places (id),
  pool_id bigint not null,
  on_hand bigint not null default 0,
  reserved bigint not null default 0,
  at timestamptz not null default now(),
  primary key (article_id, place_id)
);

-- Append-only. Each row says what it changed and what was there afterwards.
create table stock_movements (
  id bigint generated always as identity primary key,
  pool_id bigint not null references stock_pools (id) on delete cascade,
  article_id bigint not null,
  place_id bigint not null,
  kind text not null check (
    kind in ('count', 'purchase', 'sale', 'return', 'correction', 'transfer', 'reservation', 'release')
  ),
  on_hand_by bigint not null,
  reserved_by bigint not null,
  on_hand bigint not null,
  reserved bigint not null,
  source text not null,
  key text not null,
  integration_id bigint,
  order_id bigint,
  note text,
  at timestamptz not null
);
create unique index stock_movements_key on stock_movements (pool_id, source, key, article_id, place_id);
create index stock_movements_then on stock_movements (article_id, place_id, at desc, id desc);
create index stock_movements_page on stock_movements (pool_id, id);
create index stock_movements_article on stock_movements (article_id, id);

-- What the ledger has of each line of an order.
create table stock_order_lines (
  integration_id bigint not null references stock_shops (integration_id) on delete cascade,
  order_id bigint not null,
  line text not null,
  article_id bigint not null references stock_articles (id) on delete cascade,
  place_id bigint not null,
  -- Pieces that had left before the shop came into the pool.
  before bigint not null default 0,
  reserved bigint not null default 0,
  sold bigint not null default 0,
  returned bigint not null default 0,
  -- Differences booked so far: part of the key of the next.
  steps int not null default 0,
  placed_at timestamptz not null,
  primary key (integration_id, order_id, line, article_id)
);
create index stock_order_lines_open on stock_order_lines (article_id, placed_at) where reserved > 0;

-- Every value that a shop was told.
create table stock_tellings (
  id bigint generated always as identity primary key,
  link_id bigint not null references stock_links (id) on delete cascade,
  quantity bigint not null,
  was bigint,
  sent_at timestamptz not null,
  confirmed_at timestamptz,
  error text
);
create index stock_tellings_link on stock_tellings (link_id, id);
create index stock_tellings_sent on stock_tellings (sent_at);

-- Data plane: what has changed in a shop that is in a pool, and nobody has looked at. 'order 17', 'level SKU'.
alter table integration_state add column in_pool boolean not null default false;
create table stock_marks (
  integration_id bigint not null references integration_state (integration_id) on delete cascade,
  what text not null,
  n bigint not null default 1,
  primary key (integration_id, what)
);
