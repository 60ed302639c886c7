-- Calls of the API, for those who make them: kept for some days. Days are partitions: old ones are dropped whole.
-- Nothing refers to it and it refers to nothing, so that writing it locks no record.
create table api_requests (
  app_id bigint not null,
  at timestamptz not null,
  id uuid not null,
  source text not null,
  caller text not null,
  client_id bigint,
  account_id bigint,
  user_id bigint,
  integration_id bigint,
  method text not null,
  route text not null,
  path text not null,
  query text not null,
  status integer not null,
  ms double precision not null,
  address text not null,
  request_bytes bigint not null,
  response_bytes bigint not null,
  detail jsonb not null,
  primary key (app_id, at, id)
) partition by range (at);

-- Takes what no day has been made for, so that a forgotten day loses nothing.
create table api_requests_default partition of api_requests default;

create index api_requests_id on api_requests (id);
create index api_requests_failed on api_requests (app_id, at, id) where status >= 400;
create index api_requests_integration on api_requests (app_id, integration_id, at, id) where integration_id is not null;

do $$
declare
  day timestamp;
begin
  for n in 0..2 loop
    day := date_trunc('day', now() at time zone 'UTC') + make_interval(days => n);
    execute format(
      'create table %I partition of api_requests for values from (%L) to (%L)',
      to_char(day, '"api_requests_y"YYYY"m"MM"d"DD'),
      to_char(day, 'YYYY-MM-DD 00:00:00+00'),
      to_char(day + interval '1 day', 'YYYY-MM-DD 00:00:00+00')
    );
  end loop;
end $$;

-- How often an app was called for in each minute, also where a call is not in the log. Accounts and users of an app are counted
-- together (client 0); `most` is what the one of them took who took most of what one is allowed in a minute.
create table api_request_minutes (
  app_id bigint not null,
  minute timestamptz not null,
  caller text not null,
  client_id bigint not null,
  calls bigint not null,
  failed bigint not null,
  limited bigint not null,
  left_out bigint not null,
  most bigint not null,
  allowed bigint not null,
  primary key (app_id, minute, caller, client_id)
);

create index api_request_minutes_age on api_request_minutes (minute);
