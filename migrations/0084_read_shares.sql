-- Where shops share a limit of their platform, each is asked as often as its share allows: how often that is, and among how many.
alter table integrations add column read_share jsonb;
-- What the platform allows in a day beside so many in a second, and what it says is left of it.
alter table rate_budgets add column per_day double precision;
alter table rate_budgets add column day_left double precision;
