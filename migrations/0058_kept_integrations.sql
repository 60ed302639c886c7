-- Integrations that may still hold something, deleted or not: where a customer is looked for, and what is kept too long.
create index integrations_kept_account on integrations (account_id, id) where purged_at is null;
create index integrations_kept_app on integrations (app_id, id) where purged_at is null;
