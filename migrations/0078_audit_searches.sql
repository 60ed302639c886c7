-- What the audit trail is searched by, where that names few among all: the operator searches all companies at once.
create index audit_entries_request on audit_entries (request_id) where request_id is not null;
create index audit_entries_integration on audit_entries (integration_id, at, id) where integration_id is not null;
create index audit_entries_account on audit_entries (account_id, at, id) where account_id is not null;
create index audit_entries_client on audit_entries (client_id, at, id) where client_id is not null;
