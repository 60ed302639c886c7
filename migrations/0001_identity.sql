-- Who: companies, users and what they may do, apps and their accounts.

-- Totals of lists, kept in the transaction that changes the rows: count(*) grows with the table, this does not.
-- Scope 0 is the whole table, any other scope the id that the list is limited to.
create table list_counters (
  list text not null,
  scope bigint not null,
  n bigint not null,
  primary key (list, scope)
) with (fillfactor = 50);

-- Arguments: name of the list, column that is set once a row is gone, then the columns whose ids are scopes ('*' is the
-- whole table). Runs once per statement, so that a bulk load touches each counter once; scopes go in order, so that two
-- statements never wait for each other crosswise.
create function keep_list_counters() returns trigger language plpgsql as $$
declare
  gone text := quote_ident(tg_argv[1]);
  scope_column text;
  scope text;
  changes text[] := '{}';
begin
  foreach scope_column in array tg_argv[2:] loop
    scope := case scope_column when '*' then '0' else quote_ident(scope_column) end;
    if tg_op <> 'INSERT' then
      changes := changes || format('select %s::bigint as scope, -1 as change from old_rows where %s is null', scope, gone);
    end if;
    if tg_op <> 'DELETE' then
      changes := changes || format('select %s::bigint as scope, 1 as change from new_rows where %s is null', scope, gone);
    end if;
  end loop;
  execute 'insert into list_counters as counter (list, scope, n)
    select $1, scope, sum(change) from (' || array_to_string(changes, ' union all ') || ') changes
    where scope is not null group by scope having sum(change) <> 0 order by scope
    on conflict (list, scope) do update set n = counter.n + excluded.n' using tg_argv[0];
  return null;
end $$;

create table companies (
  id bigint generated always as identity primary key,
  user_id bigint,
  name text not null,
  email text,
  phone text,
  website text,
  country text,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);

create table users (
  id bigint generated always as identity primary key,
  created_by bigint references users (id),
  company_id bigint references companies (id),
  name text not null,
  email text not null,
  email_verified_at timestamptz,
  password_hash text,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);

create unique index users_email on users (lower(email)) where deleted_at is null;
create index users_company on users (company_id, id) where deleted_at is null;
create index users_created_by on users (created_by);

alter table companies add constraint companies_user_id_fkey foreign key (user_id) references users (id);
create index companies_user on companies (user_id);

create table roles (
  id bigint generated always as identity primary key,
  name text not null unique,
  created_at timestamptz not null default now()
);

create table role_permissions (
  role_id bigint not null references roles (id) on delete cascade,
  permission text not null,
  primary key (role_id, permission)
);

create table user_roles (
  user_id bigint not null references users (id) on delete cascade,
  role_id bigint not null references roles (id) on delete cascade,
  primary key (user_id, role_id)
);

create index user_roles_role on user_roles (role_id);

create table user_permissions (
  user_id bigint not null references users (id) on delete cascade,
  permission text not null,
  primary key (user_id, permission)
);

insert into roles (name) values ('admin'), ('manager'), ('viewer');

insert into role_permissions (role_id, permission)
select roles.id, permission
from roles
cross join unnest(array[
  'read-user', 'create-user', 'update-user', 'delete-user',
  'read-integration', 'create-integration', 'update-integration', 'delete-integration',
  'read-schedule', 'create-schedule', 'update-schedule', 'delete-schedule',
  'read-client', 'create-client', 'update-client', 'delete-client',
  'read-order', 'create-order', 'update-order', 'delete-order',
  'update-service', 'delete-service'
]) permission
where roles.name in ('admin', 'manager') or permission like 'read-%';

create table apps (
  id bigint generated always as identity primary key,
  user_id bigint references users (id),
  company_id bigint references companies (id),
  name text not null,
  description text,
  url text,
  logo text,
  active boolean not null default true,
  mutable boolean not null default true,
  -- Where a browser may be sent back to after an installation, compared exactly.
  return_urls text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);

create index apps_user on apps (user_id, id) where deleted_at is null;
create index apps_company on apps (company_id, id) where deleted_at is null;

create table accounts (
  id bigint generated always as identity primary key,
  app_id bigint not null references apps (id),
  remote_id text not null,
  name text,
  email text,
  company_id bigint references companies (id),
  active boolean not null default true,
  settings jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- The target of composite keys: what names an account and an app cannot name an account of another app.
  unique (app_id, id)
);

create unique index accounts_remote_id on accounts (app_id, remote_id) where deleted_at is null;
create index accounts_list on accounts (app_id, id) where deleted_at is null;
create index accounts_company on accounts (company_id) where company_id is not null;

create trigger users_inserted after insert on users referencing new table as new_rows
for each statement execute function keep_list_counters('users', 'deleted_at', 'company_id', '*');
create trigger users_updated after update on users referencing old table as old_rows new table as new_rows
for each statement execute function keep_list_counters('users', 'deleted_at', 'company_id', '*');
create trigger users_deleted after delete on users referencing old table as old_rows
for each statement execute function keep_list_counters('users', 'deleted_at', 'company_id', '*');

create trigger companies_inserted after insert on companies referencing new table as new_rows
for each statement execute function keep_list_counters('companies', 'deleted_at', '*');
create trigger companies_updated after update on companies referencing old table as old_rows new table as new_rows
for each statement execute function keep_list_counters('companies', 'deleted_at', '*');
create trigger companies_deleted after delete on companies referencing old table as old_rows
for each statement execute function keep_list_counters('companies', 'deleted_at', '*');

create trigger apps_inserted after insert on apps referencing new table as new_rows
for each statement execute function keep_list_counters('apps', 'deleted_at', '*');
create trigger apps_updated after update on apps referencing old table as old_rows new table as new_rows
for each statement execute function keep_list_counters('apps', 'deleted_at', '*');
create trigger apps_deleted after delete on apps referencing old table as old_rows
for each statement execute function keep_list_counters('apps', 'deleted_at', '*');

create trigger accounts_inserted after insert on accounts referencing new table as new_rows
for each statement execute function keep_list_counters('accounts', 'deleted_at', 'app_id', '*');
create trigger accounts_updated after update on accounts referencing old table as old_rows new table as new_rows
for each statement execute function keep_list_counters('accounts', 'deleted_at', 'app_id', '*');
create trigger accounts_deleted after delete on accounts referencing old table as old_rows
for each statement execute function keep_list_counters('accounts', 'deleted_at', 'app_id', '*');
