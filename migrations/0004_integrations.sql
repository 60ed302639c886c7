-- Connections of accounts to shops, and what belongs to them on the control plane.

create table integrations (
  id bigint generated always as identity primary key,
  integration_key uuid not null unique default gen_random_uuid(),
  -- The app and the account it belongs to; both may be missing until somebody claims it.
  app_id bigint references apps (id),
  account_id bigint,
  service_id bigint not null references services (id),
  -- Who made it, where a user did.
  user_id bigint references users (id),
  company_id bigint references companies (id),
  name text not null,
  type text not null,
  shop text not null,
  status text not null check (status in ('PENDING', 'ACTIVE', 'INACTIVE', 'ERROR', 'UNINSTALLED')),
  status_reason text,
  description text,
  active boolean not null default true,
  mutable boolean not null default true,
  settings jsonb not null default '{}',
  logo text,
  -- Written by the end of runs, so that a list needs no look into the data plane.
  completeness jsonb,
  installed_at timestamptz,
  last_run_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  foreign key (app_id, account_id) references accounts (app_id, id),
  check (account_id is null or app_id is not null)
);

create index integrations_app on integrations (app_id, id) where deleted_at is null;
create index integrations_app_status on integrations (app_id, status, id) where deleted_at is null;
create index integrations_account on integrations (account_id, id) where deleted_at is null;
create index integrations_service on integrations (service_id);
create index integrations_user on integrations (user_id, id) where deleted_at is null;
create index integrations_company on integrations (company_id, id) where deleted_at is null;
create index integrations_shop on integrations (type, shop) where deleted_at is null;

create trigger integrations_inserted after insert on integrations referencing new table as new_rows
for each statement execute function keep_list_counters('integrations', 'deleted_at', 'app_id', '*');
create trigger integrations_updated after update on integrations
referencing old table as old_rows new table as new_rows
for each statement execute function keep_list_counters('integrations', 'deleted_at', 'app_id', '*');
create trigger integrations_deleted after delete on integrations referencing old table as old_rows
for each statement execute function keep_list_counters('integrations', 'deleted_at', 'app_id', '*');

-- Secrets of the integration's own gateway: shown once, kept as a hash; two are valid while one replaces the other.
create table gateway_keys (
  id bigint generated always as identity primary key,
  integration_id bigint not null references integrations (id),
  key_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz
);

create index gateway_keys_integration on gateway_keys (integration_id);

-- What opens the shop. Sealed; version is compared and set, so that two refreshes never overwrite each other.
create table credentials (
  integration_id bigint primary key references integrations (id),
  sealed bytea not null,
  -- Beside the sealed value, so that a rotation finds what is left on an old key.
  key_id text not null,
  version bigint not null default 1,
  expires_at timestamptz,
  lease_holder text,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index credentials_key on credentials (key_id, integration_id);

-- One trip to the platform and back: single use, ten minutes, bound to integration, channel and shop.
create table install_states (
  id bigint generated always as identity primary key,
  state_hash bytea not null unique,
  integration_id bigint not null references integrations (id),
  channel text not null,
  shop text not null,
  return_url text,
  -- Sealed: the PKCE verifier and whatever else the connector must remember.
  sealed bytea,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);

create index install_states_integration on install_states (integration_id);
create index install_states_expiry on install_states (expires_at);

create table schedules (
  id bigint generated always as identity primary key,
  integration_id bigint not null references integrations (id),
  name text,
  resource text not null,
  cron text not null,
  timezone text not null default 'UTC',
  payload jsonb not null default '{}',
  active boolean not null default true,
  last_run_at timestamptz,
  next_run_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);

create index schedules_integration on schedules (integration_id, id) where deleted_at is null;
create index schedules_due on schedules (next_run_at) where deleted_at is null and active;

-- Whom we tell: of one integration (version 1.0) or of a whole app.
create table webhook_subscriptions (
  id bigint generated always as identity primary key,
  app_id bigint references apps (id),
  integration_id bigint references integrations (id),
  event text not null,
  url text not null,
  secret bytea not null,
  key_id text not null,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  check (app_id is not null or integration_id is not null)
);

create index webhook_subscriptions_integration on webhook_subscriptions (integration_id) where deleted_at is null;
create index webhook_subscriptions_app on webhook_subscriptions (app_id) where deleted_at is null;
create index webhook_subscriptions_key on webhook_subscriptions (key_id, id);
