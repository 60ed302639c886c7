-- When and from where a session or a token of a user was last used: written once in a few minutes at most.
alter table console_sessions
  add column last_used_at timestamptz not null default now(),
  add column address text,
  add column agent text;

alter table access_tokens
  add column last_used_at timestamptz,
  add column address text,
  add column agent text;
