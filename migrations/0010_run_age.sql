-- Runs that are over are kept for ninety days; this finds those that are older without walking over the rest.
create index runs_finished on runs (finished_at) where finished_at is not null;
