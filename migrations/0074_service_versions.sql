-- What was published of services that are described, each time it was: by whom and when, to look at and to go back to. What
-- counts is the definition on the service itself; these are its past.

create table service_versions (
  id bigint generated always as identity primary key,
  service_id bigint not null references services (id),
  number integer not null check (number > 0),
  definition jsonb not null,
  -- Who published it; null where that was before versions were kept, or by a program that kept none.
  user_id bigint references users (id),
  -- The version that it took up again.
  restored_from integer,
  created_at timestamptz not null default now(),
  unique (service_id, number)
);

create index service_versions_user on service_versions (user_id) where user_id is not null;

insert into service_versions (service_id, number, definition, created_at)
select id, 1, definition, updated_at from services where definition is not null;
