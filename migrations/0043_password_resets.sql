-- Links by which somebody chooses a new password: good once, for half an hour. What is kept can only recognise them.
create table password_resets (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  token_hash bytea not null unique,
  -- Who made it for a colleague. Null: the person asked for it, or the operator did.
  made_by bigint references users (id) on delete cascade,
  expires_at timestamptz not null
);

create index password_resets_user on password_resets (user_id);
create index password_resets_maker on password_resets (made_by) where made_by is not null;
create index password_resets_expiry on password_resets (expires_at);
