#!/bin/sh
# Run by the database's image once, when its data folder is made. The service gets an ordinary role that owns its database; the
# superuser keeps no password, so that nobody comes in as one from outside of the container.
set -eu
psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set=password="$POSTGRES_PASSWORD" <<'SQL'
create role entrepot login password :'password';
select format('alter database %I owner to entrepot', current_database()) \gexec
alter schema public owner to entrepot;
select format('alter role %I password null', current_user) \gexec
SQL
