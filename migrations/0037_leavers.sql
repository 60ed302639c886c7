-- What somebody made is found when that somebody goes; and how somebody comes.

alter table gateway_keys add column created_by bigint references users (id);
create index gateway_keys_created_by on gateway_keys (created_by) where created_by is not null;
alter table webhook_subscriptions add column created_by bigint references users (id);
create index webhook_subscriptions_created_by on webhook_subscriptions (created_by) where created_by is not null;

-- From now on a client whose maker has gone gets no tokens. Those that have been without one belong to their company.
update oauth_clients set user_id = null
from users
where users.id = oauth_clients.user_id
  and (users.deleted_at is not null
    or (oauth_clients.company_id is not null and users.company_id is distinct from oauth_clients.company_id));

-- Who has been in a company and is no longer.
create table departures (
  company_id bigint not null references companies (id),
  user_id bigint not null references users (id),
  left_at timestamptz not null default now(),
  primary key (company_id, user_id)
);

create index departures_user on departures (user_id);

insert into departures (company_id, user_id)
select company_id, id from users where deleted_at is not null and company_id is not null;

create table invitations (
  id bigint generated always as identity primary key,
  company_id bigint not null references companies (id),
  invited_by bigint references users (id),
  email text not null,
  role text not null check (role in ('owner', 'admin', 'operator', 'support', 'billing')),
  -- Given: the role is for this app only.
  app_id bigint references apps (id) on delete cascade,
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  user_id bigint references users (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);

create index invitations_company on invitations (company_id, id) where deleted_at is null;
create index invitations_app on invitations (app_id) where app_id is not null;
