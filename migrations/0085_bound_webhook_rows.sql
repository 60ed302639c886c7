-- needs: 0083
-- Events, deliveries and attempts become partitions, so that old ones are dropped whole (0087): by ranges of ids, which grow with
-- time and are all that most statements know. What is there becomes the first of them. It gets a bound here, well ahead of the
-- ids that are given out; whether all rows keep to it is looked at in 0086, where nobody waits for that.
do $$
declare
  name text;
  bound bigint;
begin
  foreach name in array array['webhook_events', 'webhook_deliveries'] loop
    select (coalesce(last_value, 0) / 1000000 + 2) * 1000000 into bound from pg_sequences
    where schemaname = current_schema() and sequencename = name || '_id_seq';
    execute format('alter table %I add constraint within_first check (id < %L::bigint) not valid', name, bound);
    if name = 'webhook_deliveries' then
      execute format('alter table webhook_attempts add constraint within_first check (delivery_id < %L::bigint) not valid', bound);
    end if;
  end loop;
end $$;
