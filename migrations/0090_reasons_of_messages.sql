-- Why a message of a shop or one to an app came to nothing, and what we note in the history of an order, as a code with its parameters: whoever shows it says it in a language of their own.
-- Like `error`, `reason` is our own words only; what may repeat a shop is sealed beside `private_error`.
alter table inbound_deliveries add column reason jsonb;
alter table inbound_deliveries add column private_reason bytea;
alter table webhook_deliveries add column reason jsonb;
alter table webhook_attempts add column reason jsonb;
alter table order_history add column reason jsonb;
