-- Lists over all shops of an app: failed runs and failed messages from the newest on, without a look at the others.
create index runs_status on runs (integration_id, status, id);
create index inbound_deliveries_failed_by_id on inbound_deliveries (integration_id, id) where outcome = 'failed';
