-- The colour of the app, as `#rrggbb`, on the pages that its merchants see of us on their way to a platform and back.
alter table apps add column accent text;
