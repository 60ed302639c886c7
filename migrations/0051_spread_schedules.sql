-- The more schedules there are, the further those of the same minute are spread. When one is due is indexed as it is asked for,
-- so that those which wait within their spread are not looked at every time.
alter table schedules
  -- Seconds after its appointment; null is the standard half minute.
  add column spread_seconds integer;

alter table schedules
  add column due_at timestamp generated always as (
    (next_run_at at time zone 'UTC') + coalesce(spread_seconds, (id % 30)::integer) * interval '1 second'
  ) stored;

create index schedules_due_at on schedules (due_at) where deleted_at is null and active;
drop index schedules_due;
