-- A trip ends in the browser in which somebody was told whose shop goes where, and went on; its way back takes the row away.
-- Those under way were not told, and begin again.
delete from install_states;
alter table install_states add column browser_hash bytea;
alter table install_states alter column sealed set not null;
alter table install_states drop column used_at;
