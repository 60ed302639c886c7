-- Why a run has not come to its end, as a code with its parameters: whoever shows it says it in a language of their own. Like `error`, it is our
-- own words only; what a shop has said is sealed with the rest of the ending.
alter table runs add column reason jsonb;
