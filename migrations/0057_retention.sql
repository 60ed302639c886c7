-- How long an app keeps what its shops hold, in days; null where nothing is set.
alter table apps
  -- After they were placed.
  add column keep_orders_days int check (keep_orders_days between 1 and 36500),
  -- Who bought, after an order was delivered or left.
  add column keep_customers_days int check (keep_customers_days between 1 and 36500),
  -- What messages of shops said, and what was sent to shops.
  add column keep_messages_days int check (keep_messages_days between 1 and 30);
create index apps_keeping on apps (id)
  where keep_orders_days is not null or keep_customers_days is not null or keep_messages_days is not null;

-- When an integration was last found to hold nothing whose time is over.
alter table integrations add column retained_at timestamptz;
