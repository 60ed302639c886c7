-- Keeping the copy: what runs remember between two claims, what could not be stored, and what a run has come across.
-- How far each kind of record has been read stands in integration_state.cursor.

alter table runs
  -- Claims since something was last stored: a run that only ever kills its worker ends.
  add column attempts int not null default 0,
  -- Times in a row that the shop was away.
  add column waits int not null default 0;

-- When the shop no longer had it. Such a row comes back if the shop has it again; one that was deleted here does not.
alter table orders add column vanished_at timestamptz;
alter table products add column vanished_at timestamptz;

alter table inventory add column remote_version text;

-- When a comparison with the shop was last started by itself.
alter table integrations add column compared_at timestamptz;

-- Records that could not be translated or stored, each once, with the reason. They do not hold up the others.
create table set_aside (
  integration_id bigint not null references integration_state (integration_id) on delete cascade,
  kind text not null,
  -- The shop's id, or the hash of the record where none can be read off it.
  remote_id text not null,
  run_id bigint not null,
  reason text not null,
  -- As text: a record may hold what jsonb refuses.
  payload text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (integration_id, kind, remote_id)
);

-- What a run over everything has seen: the rest is what the shop no longer has. Emptied when the run ends.
create table sync_seen (
  integration_id bigint not null references integration_state (integration_id) on delete cascade,
  run_id bigint not null,
  kind text not null,
  remote_id text not null,
  primary key (integration_id, run_id, kind, remote_id)
);
