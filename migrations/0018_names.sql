-- Names that say what a table or column holds.
alter table set_aside rename to quarantine;
alter index set_aside_pkey rename to quarantine_pkey;
alter table farewells rename to uninstall_cleanups;
alter index farewells_pkey rename to uninstall_cleanups_pkey;
alter table orders rename column acknowledgement_told_at to acknowledgement_reported_at;
