-- Of users who were deleted before their names went with them, nothing of the person stays either.
update users set name = 'Deleted user', email = 'deleted-' || id || '@invalid',
  email_folded = 'deleted-' || id || '@invalid', email_verified_at = null,
  password_hash = null, active = false
where deleted_at is not null;

update invitations set email = 'deleted-' || user_id || '@invalid'
where user_id in (select id from users where deleted_at is not null);

delete from login_addresses where user_id in (select id from users where deleted_at is not null);

-- Invitations are found by who came of them.
create index invitations_user on invitations (user_id) where user_id is not null;
