-- Writers go on meanwhile.
alter table webhook_events validate constraint within_first;
alter table webhook_deliveries validate constraint within_first;
alter table webhook_attempts validate constraint within_first;
