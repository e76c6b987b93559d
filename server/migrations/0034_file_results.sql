-- All locks are taken first, so that the processes of the previous version cannot cause a deadlock.
lock table files, jobs, job_file_parts in access exclusive mode;

-- The name of a file without its extensions: `prices` for `prices.csv.gz`. The names of its results start with it.
alter table files add column base_name text not null
  generated always as (regexp_replace(name, '(\.(csv|txt|tsv))?(\.(gz|zip))?$', '', 'i')) stored;
create index files_by_base_name on files (chain_id, base_name, accepted_at desc) where state = 'ACCEPTED';
create index files_by_acceptance on files (chain_id, accepted_at desc, file_id desc) where state = 'ACCEPTED';

-- The size of a job's file, without the line with the names of the columns, before compression. Null in parts and jobs
-- of earlier versions.
alter table job_file_parts add column content_bytes integer;
alter table jobs add column file_bytes bigint;
