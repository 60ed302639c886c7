-- Members of a company sign in at an identity provider of its own (OpenID Connect).
create table single_sign_on (
  company_id bigint primary key references companies (id) on delete cascade,
  issuer text not null,
  client_id text not null,
  -- Sealed for the company and the issuer; null for a client without one.
  client_secret bytea,
  key_id text,
  -- Whoever is of a proved domain and not a user yet becomes one, with this role.
  create_users boolean not null default false,
  default_role text check (default_role in ('admin', 'operator', 'support', 'billing')),
  -- Passwords and passkeys of all but owners no longer sign in.
  required boolean not null default false,
  -- What the provider is believed without saying so.
  trust_second_factor boolean not null default false,
  trust_addresses boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Whose addresses lead to the provider. Anybody can claim a domain; it counts for the one company that has proved it.
create table single_sign_on_domains (
  id bigint generated always as identity primary key,
  company_id bigint not null references companies (id) on delete cascade,
  domain text not null,
  -- To be found in the name service of the domain.
  proof text not null,
  proved_at timestamptz,
  created_at timestamptz not null default now(),
  unique (company_id, domain)
);

create unique index single_sign_on_domains_proved on single_sign_on_domains (domain) where proved_at is not null;

-- Who a member is at the provider.
create table single_sign_on_subjects (
  company_id bigint not null references single_sign_on (company_id) on delete cascade,
  subject text not null,
  user_id bigint not null unique references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (company_id, subject)
);

-- Browsers on their way to a provider and back: known by a digest of the state, and of the secret in their cookie.
create table single_sign_on_trips (
  id bigint generated always as identity primary key,
  state_hash bytea not null unique,
  browser_hash bytea not null,
  company_id bigint not null references single_sign_on (company_id) on delete cascade,
  expires_at timestamptz not null
);

create index single_sign_on_trips_company on single_sign_on_trips (company_id);
create index single_sign_on_trips_expiry on single_sign_on_trips (expires_at);
