-- Scopes and rights that the platform says it granted to the integration; null where it does not say.
alter table integrations add column granted text[];
