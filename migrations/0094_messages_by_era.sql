-- Messages of shops by eras: a job begins the next one and drops those whose last message is old enough (domain/inbound/eras). All that
-- comes goes into one era, the default of its column. What was there is the first era, under its name and with all that it has: programs of
-- the version before go on reading and writing it, until five days from now the second begins. Nothing is copied, nor looked through, by the
-- constraint of 0093.
create table shop_messages (
  like inbound_deliveries including defaults including storage including compression,
  -- As the first era calls it: a restore makes it anew for all of them.
  constraint inbound_deliveries_integration_id_fkey foreign key (integration_id) references integration_state (integration_id) on delete cascade
) partition by list (era);
-- The one before goes with the first era; on shards it could not be given to another table.
create sequence shop_messages_ids owned by shop_messages.id;
alter table shop_messages alter column id set default nextval('shop_messages_ids');

-- The keys are each era's own: here they would have to have the era in them, and programs of the version before know them without.
create index shop_messages_age on shop_messages (received_at);
create index shop_messages_waiting on shop_messages (integration_id, id) where processed_at is null;
create index shop_messages_subject on shop_messages (integration_id, kind, remote_id) where remote_id is not null;
create index shop_messages_to_seal on shop_messages (integration_id, id)
  where (private is null and length(body) > 0) or (error is not null and outcome is distinct from 'ignored');
create index shop_messages_failed on shop_messages (integration_id, received_at) where outcome = 'failed';
create index shop_messages_failed_by_id on shop_messages (integration_id, id) where outcome = 'failed';

-- Only a table that is on shards itself takes one that is.
do $$
begin
  if to_regclass('pg_dist_partition') is not null then
    if exists (select from pg_dist_partition where logicalrelid = 'inbound_deliveries'::regclass) then
      perform create_distributed_table('shop_messages', 'integration_id', colocate_with => 'integration_state');
    end if;
  end if;
end $$;

-- From here on nobody stores a message, so that no number is given out twice.
lock table inbound_deliveries in access exclusive mode;
select setval('shop_messages_ids', last_value, is_called) from inbound_deliveries_id_seq;
alter table inbound_deliveries alter column id set default nextval('shop_messages_ids');
alter table shop_messages attach partition inbound_deliveries for values in (1);
alter table inbound_deliveries drop constraint of_first_era;
