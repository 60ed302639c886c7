-- What was written before shops' words were kept apart (0060, 0063) is marked without touching a row: those that exist have the default,
-- those that come do not. A job seals them by and by, and takes the mark off.
alter table integration_logs add column to_seal boolean default true;
alter table integration_logs alter column to_seal set default null;
alter table runs add column to_seal boolean default true;
alter table runs alter column to_seal set default null;
alter table webhook_attempts add column to_seal boolean default true;
alter table webhook_attempts alter column to_seal set default null;

-- Empty afterwards.
create index integration_logs_to_seal on integration_logs (integration_id, at, id) where to_seal;
create index runs_to_seal on runs (integration_id, id) where to_seal;
create index webhook_attempts_to_seal on webhook_attempts (delivery_id, number) where to_seal;
