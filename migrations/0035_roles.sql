-- What somebody is in a company, and for single apps of it.

alter table users add column company_role text
  check (company_role in ('owner', 'admin', 'operator', 'support', 'billing'));

-- An own role for an app counts in the place of the one in the company.
create table app_roles (
  user_id bigint not null references users (id) on delete cascade,
  app_id bigint not null references apps (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'operator', 'support', 'billing')),
  primary key (user_id, app_id)
);

create index app_roles_app on app_roles (app_id);

-- Permissions stay as they are. Whoever made a company and is still in it owns it; where nobody is left who did, those
-- own it who may do everything there already.
update users set company_role = 'owner'
from companies
where companies.id = users.company_id and companies.user_id = users.id and users.deleted_at is null;

update users set company_role = 'owner'
where deleted_at is null and company_id is not null
  and (select count(*) from (
    select permission from user_permissions where user_permissions.user_id = users.id
    union select permission from user_roles join role_permissions using (role_id) where user_roles.user_id = users.id
  ) held) = 22
  and not exists (
    select from users others
    where others.company_id = users.company_id and others.company_role = 'owner' and others.deleted_at is null);
