-- An address is one user's within a company, so that "taken" is said of colleagues only. Users without a company are seen by whoever made
-- them and by administrators: which of them share an address follows from who asks, and no index knows that (domain/users/address-store.ts).
-- Programs of the version before go on refusing an address that anybody has; of several who have one they find one.
create unique index users_address on users (email_folded, coalesce(company_id, -id)) where deleted_at is null;
drop index users_email;

-- Which of those who share an address a password may be of, without computing its hash for each (lib/identity/password-tag.ts). Missing for those
-- who have not signed in since, and of no account where a program of the version before has set another password.
alter table users add column password_tag text;

-- Of two with one address and one password, the password that was chosen last decides. Missing for passwords from before.
alter table users add column password_set_at timestamptz;
alter table users alter column password_set_at set default now();
