-- What only some platforms say about an order: how it is to be sent and by whom, what the buyer wants, numbers of businesses.
alter table orders
  add column service_level text,
  add column fulfilled_by text check (fulfilled_by in ('merchant', 'platform')),
  add column sales_channel text,
  add column presentment jsonb,
  add column purchase_order text,
  add column tax_ids jsonb not null default '[]',
  add column attributes jsonb not null default '[]',
  add column cancel_requested boolean not null default false;
