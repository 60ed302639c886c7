-- Up to which day of being placed the orders of an integration have been looked through for people to forget; null: none.
alter table integrations add column forgotten_until timestamptz;
