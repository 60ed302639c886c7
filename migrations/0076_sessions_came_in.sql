-- How somebody came in, so that a session can be asked for more, and ended from where it began.
alter table console_sessions
  -- Whether a second factor was proved, here or at the identity provider. Null: begun before this was written down.
  add column second_factor boolean,
  -- The company whose identity provider signed the user in, and what the session is called there.
  add column provider_company_id bigint,
  add column provider_session text;

create index console_sessions_provider on console_sessions (provider_company_id, provider_session)
  where provider_company_id is not null;

-- A sign-in at a provider that goes on with a second factor of ours becomes such a session.
alter table sign_in_steps
  add column provider_company_id bigint,
  add column provider_session text;
