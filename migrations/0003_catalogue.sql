-- What can be connected: the catalogue of services, which apps offer which of them, named pipelines, and pictures.

create table services (
  id bigint generated always as identity primary key,
  -- Null for what comes with us; else who added it, and whom it is shown to.
  user_id bigint references users (id),
  company_id bigint references companies (id),
  type text not null,
  name text not null,
  description text,
  logo text,
  auth_type text not null check (auth_type in ('oauth2', 'api_key', 'basic', 'none')),
  active boolean not null default true,
  mutable boolean not null default true,
  settings jsonb not null default '{}',
  -- What the platform gave us when we were registered there, for apps that bring nothing of their own. Sealed.
  client bytea,
  client_key_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);

create unique index services_type on services (type) where deleted_at is null;
create index services_user on services (user_id) where user_id is not null;
create index services_company on services (company_id) where company_id is not null;

create table app_services (
  id bigint generated always as identity unique,
  app_id bigint not null references apps (id),
  service_id bigint not null references services (id),
  active boolean not null default true,
  settings jsonb not null default '{}',
  logo text,
  -- What the platform gave the app when it was registered there. Sealed.
  client bytea,
  client_key_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (app_id, service_id)
);

create index app_services_service on app_services (service_id);
create index app_services_client_key on app_services (client_key_id, id) where client_key_id is not null;

create table flows (
  id bigint generated always as identity primary key,
  -- Null for those of the catalogue.
  app_id bigint references apps (id),
  service_id bigint references services (id),
  name text not null,
  description text,
  type text not null check (type in ('schedule', 'webhook', 'manual')),
  -- Cron and time zone, or the event that starts it.
  trigger jsonb not null default '{}',
  steps jsonb not null default '[]',
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);

create index flows_app on flows (app_id, id) where deleted_at is null;
create index flows_service on flows (service_id) where service_id is not null;

-- Re-encoded pictures. They are small and few, so they live where every process and every backup finds them.
create table logos (
  id bigint generated always as identity primary key,
  name text not null unique,
  mime_type text not null,
  width integer not null,
  height integer not null,
  size integer not null,
  bytes bytea not null,
  created_at timestamptz not null default now()
);

-- Which clients still call version 1.0, and what.
create table v1_calls (
  client_id bigint not null references oauth_clients (id),
  method text not null,
  route text not null,
  calls bigint not null,
  first_called_at timestamptz not null default now(),
  last_called_at timestamptz not null default now(),
  primary key (client_id, method, route)
);
