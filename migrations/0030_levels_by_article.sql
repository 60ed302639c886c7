-- Several articles may have one SKU: a level is that of an article at a place. '' is one that was set here and is not the shop's.
update inventory set remote_id = '' where remote_id is null;
alter table inventory
  drop constraint inventory_pkey,
  alter column remote_id set default '',
  alter column remote_id set not null,
  add primary key (integration_id, sku, location, remote_id);

drop index inventory_changed;
create index inventory_changed on inventory (integration_id, updated_at, sku, location, remote_id);
