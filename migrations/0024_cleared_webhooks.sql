-- Whether what a shop held before the newest secret is gone: what is there then stays, whatever else fails.
alter table shop_webhooks add column cleared boolean not null default false;
update shop_webhooks set cleared = registered_at is not null;
