-- What a person looks at again and again in a list of the console: its filters, order and columns under a name. They are the person's own.
create table saved_views (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  app_id bigint not null references apps (id),
  list text not null,
  name text not null,
  filters jsonb not null,
  -- Null is as many as the list shows by itself.
  columns text[],
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index saved_views_name on saved_views (user_id, app_id, list, name);
create index saved_views_app on saved_views (app_id);
