-- Webhooks of an app that are told of some of its shops only (null is all of them), and of ids only.
alter table webhook_subscriptions add column integration_ids bigint[];
alter table webhook_subscriptions add column thin boolean not null default false;
