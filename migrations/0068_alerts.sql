-- What needs somebody, opened and closed, one row for each cause; what an app wants to hear of it, and where.
create table attentions (
  id bigint generated always as identity primary key,
  app_id bigint not null references apps (id) on delete cascade,
  kind text not null,
  -- What it is about: `integration:7`, `webhook:5`, `user:3`.
  cause text not null,
  integration_id bigint,
  webhook_id bigint,
  user_id bigint,
  run_id bigint,
  severity text not null,
  count int,
  -- A word, never a sentence of a shop: those may say who bought.
  reason text,
  since timestamptz,
  opened_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  closed_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by bigint
);
create unique index attentions_open on attentions (app_id, kind, cause) where closed_at is null;
create index attentions_of_shops on attentions (integration_id) where closed_at is null;
create index attentions_open_kind on attentions (kind, app_id) where closed_at is null;
create index attentions_list on attentions (app_id, id);
create index attentions_closed on attentions (closed_at) where closed_at is not null;

-- Only what an app has changed: everything else is as the program says.
create table alert_rules (
  app_id bigint not null references apps (id) on delete cascade,
  kind text not null,
  active boolean not null,
  severity text not null,
  minimum int,
  minutes int,
  -- Null: all shops.
  integration_ids bigint[],
  updated_at timestamptz not null default now(),
  primary key (app_id, kind)
);

create table alert_mutes (
  app_id bigint not null references apps (id) on delete cascade,
  kind text not null,
  cause text not null,
  until timestamptz not null,
  muted_by bigint,
  created_at timestamptz not null default now(),
  primary key (app_id, kind, cause)
);
create index alert_mutes_until on alert_mutes (until);

create table alert_channels (
  id bigint generated always as identity primary key,
  app_id bigint not null references apps (id) on delete cascade,
  type text not null,
  name text not null,
  -- Where it leads, sealed: addresses of chats and keys of pagers let anybody write there.
  address bytea not null,
  key_id text not null,
  -- What may be shown of it.
  hint text not null,
  severity text not null,
  active boolean not null default true,
  delivery text not null,
  daily_at text,
  quiet_from text,
  quiet_to text,
  time_zone text not null,
  -- Of mail: whoever reads there has agreed.
  confirmed_at timestamptz,
  last_sent_at timestamptz,
  failing_since timestamptz,
  last_error text,
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index alert_channels_app on alert_channels (app_id, id) where deleted_at is null;

-- One message to one channel: it collects for a while, and is then sent.
create table alert_notifications (
  id bigint generated always as identity primary key,
  channel_id bigint not null references alert_channels (id) on delete cascade,
  -- By it the other side knows one that it has got already.
  key uuid not null default gen_random_uuid(),
  state text not null default 'collecting',
  due_at timestamptz not null,
  attempts int not null default 0,
  error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
create unique index alert_notifications_collecting on alert_notifications (channel_id) where state = 'collecting';
create index alert_notifications_due on alert_notifications (due_at) where state = 'collecting';
create index alert_notifications_channel on alert_notifications (channel_id, id);
create index alert_notifications_age on alert_notifications (created_at);

create table alert_items (
  notification_id bigint not null references alert_notifications (id) on delete cascade,
  attention_id bigint not null references attentions (id) on delete cascade,
  -- `opened` or `closed`
  what text not null,
  primary key (notification_id, attention_id, what)
);
create index alert_items_attention on alert_items (attention_id);

-- Where to look for trouble, without looking at those who have none.
create index integrations_failed on integrations (id) where status = 'ERROR' and deleted_at is null;
create index integrations_pending on integrations (created_at) where status = 'PENDING' and deleted_at is null;
create index integrations_silent on integrations (id) where messages = 'not_arriving' and deleted_at is null;
create index integrations_ending on integrations (consent_ends_at) where consent_ends_at is not null and deleted_at is null;
create index integrations_missing on integrations (compared_at)
  where completeness ->> 'missing' <> '0' and deleted_at is null;
create index webhook_subscriptions_failing on webhook_subscriptions (app_id)
  where deleted_at is null and (disabled_at is not null or failing_since is not null);
create index users_new_admins on users (created_at) where company_role in ('owner', 'admin') and deleted_at is null;
create index audit_entries_refused on audit_entries (at) where kind = 'sign_in' and outcome = 'refused';
create index audit_entries_access on audit_entries (at) where operation in (
  'put_2_0_user_users_user_roles', 'post_2_0_user_second_factor_remove', 'post_2_0_user_users_user_second_factor_reset');
create index runs_failed on runs (created_at) where status = 'failed';
create index runs_waiting on runs (integration_id) where status in ('queued', 'running') and waits > 0;

-- What merchants are told directly, in the words of their app. Each of them has agreed (`account_id`), and may end it.
create table alert_letters (
  app_id bigint primary key references apps (id) on delete cascade,
  active boolean not null,
  kinds text[] not null,
  subject text not null,
  body text not null,
  updated_at timestamptz not null default now()
);
create table alert_readers (
  account_id bigint primary key references accounts (id) on delete cascade,
  created_at timestamptz not null default now()
);
