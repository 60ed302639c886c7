-- How near anybody is to a quota, sampled by a job: what is read when somebody looks at the metrics.
create table quota_samples (
  quota text primary key,
  -- What whoever has most of it has.
  most bigint not null,
  total bigint not null,
  sampled_at timestamptz not null default now()
);
