-- Whose news an endpoint has answered to: by it the answers are gone through when a customer is erased.
alter table webhook_attempts add column integration_id bigint;
create index webhook_attempts_sealed on webhook_attempts (integration_id, delivery_id, number) where private_body is not null;
