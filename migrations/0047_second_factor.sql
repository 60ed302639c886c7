-- What a user proves beside the password.

-- The secret that an authenticator app makes codes of, sealed. It counts once a code has shown that the app has it.
create table totp_secrets (
  user_id bigint primary key references users (id) on delete cascade,
  sealed bytea not null,
  key_id text not null,
  confirmed_at timestamptz,
  -- The half minute of the last code that was taken: neither it nor an earlier one is taken again.
  last_step bigint,
  created_at timestamptz not null default now()
);

-- For whoever has lost the device: random, so that a plain digest hides them.
create table recovery_codes (
  user_id bigint not null references users (id) on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- The password was right, and something else is to come.
create table sign_in_steps (
  id bigint generated always as identity primary key,
  secret_hash bytea not null unique,
  user_id bigint not null references users (id) on delete cascade,
  -- Whoever has no second factor, in a company that demands one, sets it up first.
  enrols boolean not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);

create index sign_in_steps_user on sign_in_steps (user_id);
create index sign_in_steps_expiry on sign_in_steps (expires_at);

alter table companies add column require_second_factor boolean not null default false;
