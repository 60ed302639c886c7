-- Shops that were let in from the platform's own pages, before anybody has said whose they are.
create table arrivals (
  id bigint generated always as identity primary key,
  service_id bigint not null references services (id),
  -- Whose registration at the platform it came by; null: that of the service.
  app_id bigint references apps (id),
  type text not null,
  shop text not null,
  -- Of the trip that somebody began by opening the app there; none where the platform brings the code by itself.
  state_hash bytea unique,
  state_expires_at timestamptz,
  -- Credentials and settings, until they are claimed or destroyed.
  sealed bytea,
  key_id text,
  code_hash bytea unique,
  code_expires_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);

-- A shop is held once for each registration: whoever comes again replaces what was there.
create unique index arrivals_shop on arrivals (service_id, app_id, shop) nulls not distinct;
create index arrivals_expiry on arrivals (expires_at);
create index arrivals_app on arrivals (app_id);
