-- What endpoints of apps have answered, sealed with the key of the integration that the event is about. Those from before go with their
-- time, thirty days.
alter table webhook_attempts add column private_body bytea;
