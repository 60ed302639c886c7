-- Services that are described instead of programmed: paths, authentication and field mapping as data.

alter table services add column definition jsonb;
