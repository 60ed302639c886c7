-- Every shop is asked by default, silence of its webhooks is noticed, and records are compared in turn.
alter table integrations
  -- When the shop is asked next; null where nobody wants that. The spread keeps those connected together apart.
  add column next_read_at timestamptz default now() + interval '5 minutes' + random() * interval '5 minutes',
  -- When products and stock were last asked for by the clock; null: with the next read.
  add column catalogue_read_at timestamptz default now(),
  -- What its owner has chosen; null is the default, 0 is never.
  add column read_every_minutes integer check (read_every_minutes between 0 and 10080),
  -- Whether what the shop sends by itself arrives, and since when that is so.
  add column messages text not null default 'none' check (messages in ('none', 'arriving', 'late', 'not_arriving')),
  add column messages_since timestamptz;

create index integrations_due_reads on integrations (next_read_at)
  where status = 'ACTIVE' and active and deleted_at is null;

update integrations i set messages = 'arriving', messages_since = w.registered_at
from shop_webhooks w where w.integration_id = i.id and w.registered_at is not null;

alter table runs
  -- Started by the clock, without a schedule of anybody's.
  add column automatic boolean not null default false,
  -- It was, and found nothing: kept for a day.
  add column quiet boolean not null default false;

create index runs_quiet on runs (finished_at) where quiet;

-- When the whole record was last held against the shop's, whatever its version says.
alter table orders add column compared_at timestamptz;
alter table products add column compared_at timestamptz;

-- Until when somebody was there to hear: the next one to come sees for how long nobody was.
create table heartbeats (
  name text primary key,
  at timestamptz not null
);
