-- What the clock and events start: the order in which tenants are served, pipelines under way, and goodbyes.

-- Runs that wait or are worked on: asked for before every run that the clock starts.
create index runs_unfinished on runs (integration_id, resource) where status in ('queued', 'running');

-- The latest turn of each tenant in the queues of long and of short runs. Each run takes the next one, so that many at once stand in line
-- behind the first of everybody else.
create table run_turns (
  queue text not null,
  tenant text not null,
  turn bigint not null,
  primary key (queue, tenant)
) with (fillfactor = 70);

alter table flows
  add column next_run_at timestamptz,
  add column last_run_at timestamptz,
  -- How the latest of its runs stands; only for those of an app.
  add column last_run_status text;

create index flows_due on flows (next_run_at) where deleted_at is null and active;
create index flows_event on flows (app_id, (trigger ->> 'event')) where type = 'webhook' and deleted_at is null;

-- A pipeline on one integration. Its steps are runs of that integration (runs.flow_id), one after the other.
create table flow_runs (
  id bigint generated always as identity primary key,
  flow_id bigint not null references flows (id),
  integration_id bigint not null references integrations (id),
  status text not null check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  -- As the flow was when it started: who changes it changes the next one.
  steps jsonb not null,
  -- Which step has its turn, counted from 0, and its run.
  step integer not null default 0,
  run_id bigint,
  error text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  -- When somebody last looked whether the step is over.
  seen_at timestamptz not null default now()
);

create index flow_runs_flow on flow_runs (flow_id, id);
create index flow_runs_integration on flow_runs (integration_id, flow_id) where status = 'running';
create index flow_runs_unfinished on flow_runs (seen_at) where status in ('queued', 'running');
-- What waits already need not wait twice.
create unique index flow_runs_queued on flow_runs (flow_id, integration_id) where status = 'queued';

alter table integrations
  add column uninstalled_at timestamptz,
  -- When what the shop had given us was removed.
  add column purged_at timestamptz;

create index integrations_to_purge on integrations (uninstalled_at) where uninstalled_at is not null and purged_at is null;

-- What it takes to remove our webhooks from a shop that we have left: the credentials, sealed as they were, for some
-- seconds. The integration itself has none from the moment it is uninstalled.
create table farewells (
  integration_id bigint primary key references integrations (id),
  -- Part of what seals the credentials.
  app_id bigint,
  sealed bytea not null,
  key_id text not null,
  expires_at timestamptz not null
);
