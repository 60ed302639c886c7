-- Shops that are looked at every few seconds have a thousand runs that found nothing for each that did something: the list of the others never sees them.
create index runs_loud on runs (integration_id, id) where not quiet;
