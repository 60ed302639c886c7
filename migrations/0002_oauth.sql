-- How callers prove who they are: clients, signing keys, tokens, and what slows guessing down.

create table oauth_clients (
  id bigint generated always as identity primary key,
  user_id bigint references users (id),
  company_id bigint references companies (id),
  -- The app whose identity this client is; a client without one reaches no APP route.
  app_id bigint references apps (id),
  name text not null,
  secret_hash bytea,
  grant_types text[] not null,
  -- The most its tokens may ever do; null is no ceiling.
  scopes text[],
  redirect text[] not null default '{}',
  confidential boolean not null default true,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (confidential = (secret_hash is not null))
);

create index oauth_clients_user on oauth_clients (user_id, id) where revoked_at is null;
create index oauth_clients_company on oauth_clients (company_id, id) where revoked_at is null;
create index oauth_clients_app on oauth_clients (app_id) where app_id is not null;

create trigger oauth_clients_inserted after insert on oauth_clients referencing new table as new_rows
for each statement execute function keep_list_counters('clients', 'revoked_at', '*');
create trigger oauth_clients_updated after update on oauth_clients
referencing old table as old_rows new table as new_rows
for each statement execute function keep_list_counters('clients', 'revoked_at', '*');
create trigger oauth_clients_deleted after delete on oauth_clients referencing old table as old_rows
for each statement execute function keep_list_counters('clients', 'revoked_at', '*');

create table signing_keys (
  kid text primary key,
  alg text not null,
  public_jwk jsonb not null,
  private_key bytea not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);

-- One key signs at a time: of two processes that make the first key, the database takes one.
create unique index signing_keys_current on signing_keys ((true)) where retired_at is null;

create table access_tokens (
  id bigint generated always as identity primary key,
  jti text not null unique,
  -- Decided here and nowhere else: ids of users, clients and accounts overlap.
  kind text not null check (kind in ('user', 'client', 'account')),
  client_id bigint not null references oauth_clients (id),
  user_id bigint references users (id),
  app_id bigint references apps (id),
  account_id bigint,
  scopes text[] not null,
  family_id uuid,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (app_id, account_id) references accounts (app_id, id),
  check ((kind = 'user') = (user_id is not null)),
  check ((kind = 'account') = (account_id is not null)),
  check (kind <> 'account' or app_id is not null)
);

create index access_tokens_user on access_tokens (user_id) where user_id is not null;
create index access_tokens_client on access_tokens (client_id);
create index access_tokens_account on access_tokens (account_id, app_id) where account_id is not null;
create index access_tokens_family on access_tokens (family_id) where family_id is not null;
create index access_tokens_expiry on access_tokens (expires_at);

create table refresh_tokens (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  -- All that descend from one login.
  family_id uuid not null,
  parent_id bigint references refresh_tokens (id) on delete set null,
  access_token_id bigint references access_tokens (id) on delete set null,
  client_id bigint not null references oauth_clients (id),
  user_id bigint not null references users (id),
  scopes text[] not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);

create index refresh_tokens_family on refresh_tokens (family_id);
create index refresh_tokens_parent on refresh_tokens (parent_id);
create index refresh_tokens_access_token on refresh_tokens (access_token_id);
create index refresh_tokens_client on refresh_tokens (client_id);
create index refresh_tokens_user on refresh_tokens (user_id);
create index refresh_tokens_expiry on refresh_tokens (expires_at);

create table intent_tokens (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  app_id bigint not null,
  account_id bigint not null,
  client_id bigint not null references oauth_clients (id),
  scopes text[] not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (app_id, account_id) references accounts (app_id, id)
);

create index intent_tokens_account on intent_tokens (account_id, app_id);
create index intent_tokens_client on intent_tokens (client_id);
create index intent_tokens_expiry on intent_tokens (expires_at);

-- Addresses a user has logged in from: guesses from anywhere else do not use up their allowance.
create table login_addresses (
  user_id bigint not null references users (id) on delete cascade,
  address_hash bytea not null,
  last_at timestamptz not null default now(),
  primary key (user_id, address_hash)
);

create index login_addresses_age on login_addresses (last_at);

-- Fixed windows of requests and of failed logins, shared by all processes. Losing them in a crash loses one window.
create unlogged table rate_windows (
  key text primary key,
  hits integer not null,
  resets_at timestamptz not null
) with (fillfactor = 50);

create index rate_windows_expiry on rate_windows (resets_at);
