-- Keys that authenticators hold for a user: a second factor, or all that signing in takes.
create table passkeys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  name text not null,
  credential_id bytea not null unique,
  public_key bytea not null,
  -- Grows with every use where the authenticator counts; one that does not grow is a copy.
  counter bigint not null,
  transports text[] not null,
  -- Whether it is kept by more than one device.
  backed_up boolean not null,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);

create index passkeys_user on passkeys (user_id, id);

-- What a browser was asked to sign, as a digest. Spent with the answer.
create table passkey_challenges (
  id bigint generated always as identity primary key,
  challenge_hash bytea not null unique,
  -- Whose passkey is to be added; null: somebody signs in.
  user_id bigint references users (id) on delete cascade,
  expires_at timestamptz not null
);

create index passkey_challenges_user on passkey_challenges (user_id) where user_id is not null;
create index passkey_challenges_expiry on passkey_challenges (expires_at);

-- Whether a second factor is there to be asked for is seen when the sign-in goes on.
alter table sign_in_steps drop column enrols;
