-- Whose copy was compared with its shop longest ago, without looking at all that were compared today.
create index integrations_uncompared on integrations ((coalesce(compared_at, installed_at)))
  where status = 'ACTIVE' and active and deleted_at is null;
