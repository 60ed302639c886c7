-- Who did what, on which record, when, and from which request. Written in the transaction of the change itself; sealed into
-- blocks right afterwards (docs/decisions/0025), so that writers wait for nobody.
create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  kind text not null,
  operation text not null,
  -- The same in words, as they were at that time.
  what text not null,
  detail text,
  outcome text not null,
  caller text not null,
  user_id bigint,
  client_id bigint,
  account_id bigint,
  app_id bigint,
  company_id bigint,
  integration_id bigint,
  record_type text,
  record_id text,
  -- Names of fields that were sent, never what was in them.
  fields text[] not null default '{}',
  address text,
  request_id uuid,
  -- Made by the process that wrote it, with a key that the database does not know.
  mac bytea not null,
  block bigint
);

-- Those of a block, and those that are in none yet.
create index audit_entries_block on audit_entries (block, id);
create index audit_entries_at on audit_entries (at, id);
create index audit_entries_company on audit_entries (company_id, at, id);
create index audit_entries_app on audit_entries (app_id, at, id);
create index audit_entries_user on audit_entries (user_id, at, id);
create index audit_entries_record on audit_entries (record_type, record_id, at, id);

create table audit_blocks (
  number bigint primary key,
  previous bytea not null,
  hash bytea not null,
  entries int not null,
  last_at timestamptz not null,
  sealed_at timestamptz not null default now()
);

-- One row each: the newest block there must be, and the newest that the retention has taken away.
create table audit_head (
  id int primary key check (id = 1),
  number bigint not null,
  hash bytea not null
);
insert into audit_head (id, number, hash) values (1, 0, '');

create table audit_checkpoint (
  id int primary key check (id = 1),
  number bigint not null,
  hash bytea not null,
  removed bigint not null,
  mac bytea not null,
  at timestamptz not null default now()
);

-- What the entries and blocks are keyed with, sealed with the master key.
create table audit_keys (
  id int primary key check (id = 1),
  sealed bytea not null,
  key_id text not null
);

-- Whoever can alter tables can go around this; the chain shows it.
create function audit_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('entrepot.audit_retention', true) = 'on' then
    return old;
  end if;
  if tg_op = 'UPDATE' and tg_table_name = 'audit_entries' then
    if old.block is null and new.block is not null and to_jsonb(new) - 'block' = to_jsonb(old) - 'block' then
      return new;
    end if;
  end if;
  raise exception 'The audit trail is append-only.' using errcode = '42501';
end $$;

create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function audit_append_only();
create trigger audit_blocks_append_only before update or delete on audit_blocks
  for each row execute function audit_append_only();
create trigger audit_entries_no_truncate before truncate on audit_entries
  for each statement execute function audit_append_only();
create trigger audit_blocks_no_truncate before truncate on audit_blocks
  for each statement execute function audit_append_only();
