-- By which the owner of an integration without an app lets somebody claim it: once, for ten minutes.
create table claim_codes (
  integration_id bigint primary key references integrations (id) on delete cascade,
  code_hash bytea not null,
  expires_at timestamptz not null
);

create index claim_codes_expiry on claim_codes (expires_at);
