-- A message of a shop finds its integration by the address that it came to, also while what was uninstalled is still kept: that had no
-- index, so that the first message of each shop looked at all integrations of its service. It serves whoever had the one before as well.
create index integrations_addressed on integrations (type, shop) where deleted_at is null or purged_at is null;
drop index integrations_shop;

-- Shops are picked from a list by name, of which the first few are shown.
create index integrations_name on integrations (app_id, name, id) where deleted_at is null;
