-- A program without a browser gets a token by a code that somebody who is signed in approves (RFC 8628). Both codes are kept
-- as digests; the one that a person types is good for ten minutes.
create table device_authorizations (
  id bigint generated always as identity primary key,
  device_hash bytea not null unique,
  user_hash bytea not null unique,
  client_id bigint not null references oauth_clients (id),
  scopes text[] not null,
  -- Where the program asks from: whoever approves is shown it.
  address text not null,
  agent text,
  state text not null default 'pending' check (state in ('pending', 'approved', 'denied', 'used')),
  user_id bigint references users (id),
  -- How long the program has to wait between two questions; longer with each one that came too soon.
  interval_seconds integer not null default 5,
  asked_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);

create index device_authorizations_client on device_authorizations (client_id);
create index device_authorizations_user on device_authorizations (user_id) where user_id is not null;
create index device_authorizations_expiry on device_authorizations (expires_at);

-- A client that comes with the service, by the name that its program says: the command line is made when it is first used.
alter table oauth_clients add column known_as text;
create unique index oauth_clients_known_as on oauth_clients (known_as) where known_as is not null;

-- Set for somebody at a command line who reads the events of an app for a while and is sent nothing.
alter table webhook_subscriptions add column listens_until timestamptz;
create index webhook_subscriptions_listeners on webhook_subscriptions (listens_until) where listens_until is not null and deleted_at is null;
