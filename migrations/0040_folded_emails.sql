-- Who an address means is decided in one place, src/lib/identity/fold-email.ts, and kept. Here the same is done once for those who
-- are there already; the dotted capital I is no i.
alter table users add column email_folded text;

update users set email_folded = normalize(lower(replace(normalize(email, NFKC), U&'\0130', U&'i\0307')), NFKC);

-- Two who were apart until now stay apart: the one whose address is written that way keeps the folded one, and the others
-- log in with theirs exactly as it is written.
update users set email_folded = email
from (
  select id, row_number() over (partition by email_folded order by lower(email) = email_folded desc, id) as place
  from users where deleted_at is null) ranked
where ranked.id = users.id and ranked.place > 1;

alter table users alter column email_folded set not null;

drop index users_email;
create unique index users_email on users (email_folded) where deleted_at is null;
