-- What shops have said, sealed with the key of the integration: with entries of the log, whose own words stay in the clear, and
-- with runs, in the place of their result or error. Entries and runs from before go with their time.
alter table integration_logs add column private bytea;
alter table runs add column private_result bytea;

-- Deleting an order goes through what may name its buyer.
create index integration_logs_sealed on integration_logs (integration_id, at, id) where private is not null;
