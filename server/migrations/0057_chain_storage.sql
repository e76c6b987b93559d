-- What is stored for the jobs of each chain: requests, uploaded files, result files and changes. A job adds its own bytes
-- when it is accepted; a chore measures all of them regularly, and stores the limit that is configured.
create table chain_storage (
  chain_id uuid primary key references chains,
  job_bytes bigint not null,
  max_job_bytes bigint,
  changed_at timestamptz not null default now(),
  measured_at timestamptz,
  measured_ms integer not null default 0
) with (fillfactor = 50);
