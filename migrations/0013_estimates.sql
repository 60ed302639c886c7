-- How long a run will still take, as far as anybody can tell: said before long work begins, and corrected while it goes on.
alter table runs add column estimated_seconds integer check (estimated_seconds >= 0);
