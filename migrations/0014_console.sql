-- Who is signed in to the console. The browser holds a secret in a cookie that no script can read; here is its digest.
create table console_sessions (
  id bigint generated always as identity primary key,
  secret_hash bytea not null unique,
  user_id bigint not null references users (id) on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);

create index console_sessions_user on console_sessions (user_id);
create index console_sessions_expiry on console_sessions (expires_at);
