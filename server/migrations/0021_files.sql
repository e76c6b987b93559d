-- Files that a chain uploads. An UNFINISHED file can be continued or deleted. An ACCEPTED file has a job.
create table files (
  chain_id uuid not null references chains,
  file_id uuid not null,
  -- The path: /catalog/<platform id>, /catalog/all, /products or /promotions.
  folder text not null,
  name text not null,
  state text not null default 'UNFINISHED' check (state in ('UNFINISHED', 'ACCEPTED')),
  size bigint not null default 0,
  -- Identifies the content: the hash of the hashes of its parts. Null while the file is unfinished.
  digest bytea,
  -- The stores that the file can change; null means all stores.
  vendor_ids text[],
  -- Whether the uploader is limited to some stores, so that the file cannot change the chain's products.
  is_limited boolean not null,
  uploaded_by text not null,
  actor text not null,
  address text not null,
  channel text not null check (channel in ('sftp', 'portal', 'api')),
  job_id uuid,
  -- How the content is written, so that the failed rows can be returned in the same form. Null until it is read.
  format jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  accepted_at timestamptz,
  primary key (chain_id, file_id),
  foreign key (chain_id, job_id) references jobs (chain_id, job_id) on delete cascade,
  check ((state = 'ACCEPTED') = (job_id is not null)),
  check ((state = 'ACCEPTED') = (accepted_at is not null))
);

create index files_by_time on files (chain_id, created_at, file_id);
create index files_by_job on files (chain_id, job_id) where job_id is not null;
create index files_by_name on files (chain_id, folder, name);
create index files_unfinished on files (chain_id, updated_at) where state = 'UNFINISHED';

-- The content of a file until it has been read, in parts of the same size except the last.
create table file_parts (
  chain_id uuid not null,
  file_id uuid not null,
  part_no integer not null,
  bytes bytea not null,
  digest bytea not null,
  primary key (chain_id, file_id, part_no),
  foreign key (chain_id, file_id) references files (chain_id, file_id) on delete cascade
);
-- Compressing the values takes longer than writing them.
alter table file_parts alter column bytes set storage external;

-- The name of the file that a job was created from.
alter table jobs add column file_name text;

-- Which rows in a chunk of a file failed at a vendor, and why: a compressed JSON array of row numbers and reasons.
create table job_failures (
  chain_id uuid not null,
  job_id uuid not null,
  chunk_no integer not null,
  vendor_id text not null,
  bytes bytea not null,
  primary key (chain_id, job_id, chunk_no, vendor_id),
  foreign key (chain_id, job_id) references jobs (chain_id, job_id) on delete cascade
);
