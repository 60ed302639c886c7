-- A parcel is sent to a shop once, until it was taken back or got another number there: then its number may be another's.
alter table operations add column undone_generation integer;
