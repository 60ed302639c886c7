-- needs: 0083
-- Events, deliveries and attempts by ranges of ids: a job makes the next one ahead of its time, and drops those whose last row is
-- old enough (domain/webhooks/ranges). To statements they are the same tables, with the same keys. Nothing is copied, nor looked
-- through: what was there becomes the first range with its indexes, by the bounds of 0085.
alter table webhook_events rename to webhook_events_first;
alter index webhook_events_pkey rename to webhook_events_first_pkey;
alter index webhook_events_subject rename to webhook_events_first_subject;

create table webhook_events (
  like webhook_events_first including defaults including storage including compression,
  primary key (id)
) partition by range (id);
create index webhook_events_subject on webhook_events (subject, id);
alter sequence webhook_events_id_seq owned by webhook_events.id;

alter table webhook_deliveries rename to webhook_deliveries_first;
alter index webhook_deliveries_pkey rename to webhook_deliveries_first_pkey;
alter index webhook_deliveries_due rename to webhook_deliveries_first_due;
alter index webhook_deliveries_subject rename to webhook_deliveries_first_subject;
alter index webhook_deliveries_feed rename to webhook_deliveries_first_feed;
alter index webhook_deliveries_list rename to webhook_deliveries_first_list;
alter index webhook_deliveries_event rename to webhook_deliveries_first_event;
alter index webhook_deliveries_held rename to webhook_deliveries_first_held;
alter index webhook_deliveries_delivered rename to webhook_deliveries_first_delivered;
alter index webhook_deliveries_failed rename to webhook_deliveries_first_failed;

create table webhook_deliveries (
  like webhook_deliveries_first including defaults including storage including compression,
  primary key (id),
  constraint webhook_deliveries_state_check check (state in ('pending', 'delivered', 'failed', 'held', 'cancelled'))
) partition by range (id);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at, id) where state = 'pending';
create index webhook_deliveries_subject on webhook_deliveries (webhook_id, subject, id) where state = 'pending';
create index webhook_deliveries_feed on webhook_deliveries (webhook_id, xid, id);
create index webhook_deliveries_list on webhook_deliveries (webhook_id, id);
create index webhook_deliveries_event on webhook_deliveries (event_id);
create index webhook_deliveries_held on webhook_deliveries (webhook_id, subject, id) where state = 'held';
create index webhook_deliveries_delivered on webhook_deliveries (webhook_id, delivered_at) include (created_at)
  where delivered_at is not null;
create index webhook_deliveries_failed on webhook_deliveries (webhook_id, updated_at) where state = 'failed';
alter sequence webhook_deliveries_id_seq owned by webhook_deliveries.id;

alter table webhook_attempts rename to webhook_attempts_first;
alter index webhook_attempts_pkey rename to webhook_attempts_first_pkey;
alter index webhook_attempts_sealed rename to webhook_attempts_first_sealed;
alter index webhook_attempts_to_seal rename to webhook_attempts_first_to_seal;

create table webhook_attempts (
  like webhook_attempts_first including defaults including storage including compression,
  primary key (delivery_id, number),
  constraint webhook_attempts_trigger_check check (trigger in ('schedule', 'replay'))
) partition by range (delivery_id);
create index webhook_attempts_sealed on webhook_attempts (integration_id, delivery_id, number) where private_body is not null;
create index webhook_attempts_to_seal on webhook_attempts (delivery_id, number) where to_seal;

do $$
declare
  name text;
  bound text;
begin
  foreach name in array array['webhook_events', 'webhook_deliveries', 'webhook_attempts'] loop
    select (regexp_match(pg_get_constraintdef(oid), '(\d+)'))[1] into bound from pg_constraint
    where conrelid = (name || '_first')::regclass and conname = 'within_first';
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', name, name || '_first', bound);
    execute format('alter table %I drop constraint within_first', name || '_first');
  end loop;
end $$;

-- Takes what no range has been made for, so that a forgotten one loses nothing.
create table webhook_events_default partition of webhook_events default;
create table webhook_deliveries_default partition of webhook_deliveries default with (fillfactor = 80);
create table webhook_attempts_default partition of webhook_attempts default;
