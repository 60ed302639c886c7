-- The platform's own id of the shop, which stays when its name changes; and until when the merchant has agreed.
alter table integrations
  add column identity text,
  add column consent_ends_at timestamptz,
  add column consent_announced_at timestamptz;

create index integrations_identity on integrations (type, identity) where identity is not null;
create index integrations_consent on integrations (consent_ends_at)
  where consent_announced_at is null and deleted_at is null;

update integrations set identity = settings->>'shop_id' where type = 'etsy' and settings ? 'shop_id';
