-- The code of a job's error apart from its sentence. Promotion jobs had both in one text, such as
-- "nothing_applied: none of the ids is a vendor of the chain."
alter table jobs add column error_code text;

update jobs set error_code = split_part(error, ': ', 1), error = substr(error, strpos(error, ': ') + 2)
where type = 'PROMOTION' and error ~ '^[a-z_]+: ';
