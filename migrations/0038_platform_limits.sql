-- When the platform is to be asked what is left of a limit; null: at once.
alter table rate_budgets add column limits_due_at timestamptz;
