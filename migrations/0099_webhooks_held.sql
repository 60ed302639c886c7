-- Whoever registers a shop's webhooks, or looks whether they are there, does so alone: of two who renew the secret the shop keeps one.
alter table shop_webhooks add column holder text, add column held_until timestamptz;
