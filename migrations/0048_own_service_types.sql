-- A type is taken by who has it, and by what comes with us: nobody learns what others have described.
drop index services_type;
create unique index services_type on services (type, coalesce(company_id, 0), (case when company_id is null then coalesce(user_id, 0) else 0 end))
  where deleted_at is null;
