-- needs: 0093
-- Messages of shops by eras: a job begins the next one and drops those whose last message is old enough (domain/inbound/eras). All that
-- comes goes into one era, the default of its column. Nothing is copied, nor looked through: what was there becomes the first with
-- its indexes, by the constraint of 0093.
alter table inbound_deliveries rename to inbound_deliveries_era_1;
alter table inbound_deliveries_era_1 drop constraint inbound_deliveries_pkey;
alter table inbound_deliveries_era_1 add constraint inbound_deliveries_era_1_pkey primary key using index inbound_deliveries_place;
drop index inbound_deliveries_id;
alter index inbound_deliveries_key rename to inbound_deliveries_era_1_key;
alter index inbound_deliveries_age rename to inbound_deliveries_era_1_age;
alter index inbound_deliveries_waiting rename to inbound_deliveries_era_1_waiting;
alter index inbound_deliveries_subject rename to inbound_deliveries_era_1_subject;
alter index inbound_deliveries_to_seal rename to inbound_deliveries_era_1_to_seal;
alter index inbound_deliveries_failed rename to inbound_deliveries_era_1_failed;
alter index inbound_deliveries_failed_by_id rename to inbound_deliveries_era_1_failed_by_id;

create table inbound_deliveries (
  like inbound_deliveries_era_1 including defaults including storage including compression,
  primary key (integration_id, id, era),
  constraint inbound_deliveries_integration_id_fkey foreign key (integration_id) references integration_state (integration_id) on delete cascade
) partition by list (era);
-- The one before belongs to the first era and goes with it; on shards it could not be given to another table.
create sequence inbound_deliveries_ids owned by inbound_deliveries.id;
select setval('inbound_deliveries_ids', last_value, is_called) from inbound_deliveries_id_seq;
alter table inbound_deliveries alter column id set default nextval('inbound_deliveries_ids');

create unique index inbound_deliveries_key on inbound_deliveries (integration_id, delivery_id, era);
create index inbound_deliveries_age on inbound_deliveries (received_at);
create index inbound_deliveries_waiting on inbound_deliveries (integration_id, id) where processed_at is null;
create index inbound_deliveries_subject on inbound_deliveries (integration_id, kind, remote_id) where remote_id is not null;
create index inbound_deliveries_to_seal on inbound_deliveries (integration_id, id)
  where (private is null and length(body) > 0) or (error is not null and outcome is distinct from 'ignored');
create index inbound_deliveries_failed on inbound_deliveries (integration_id, received_at) where outcome = 'failed';
create index inbound_deliveries_failed_by_id on inbound_deliveries (integration_id, id) where outcome = 'failed';

-- Only a table that is on shards itself takes one that is.
do $$
begin
  if to_regclass('pg_dist_partition') is not null then
    if exists (select from pg_dist_partition where logicalrelid = 'inbound_deliveries_era_1'::regclass) then
      perform create_distributed_table('inbound_deliveries', 'integration_id', colocate_with => 'integration_state');
    end if;
  end if;
end $$;

alter table inbound_deliveries attach partition inbound_deliveries_era_1 for values in (1);
alter table inbound_deliveries_era_1 drop constraint of_first_era;
