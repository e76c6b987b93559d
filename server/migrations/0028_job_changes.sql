-- The strongest locks are taken first, so that the processes of the previous version cannot cause a deadlock.
alter table jobs
  -- Who created the job and from where: {by, name, channel, address}. Null in jobs of earlier versions.
  add column origin jsonb,
  add column is_dry_run boolean not null default false,
  -- When the job is to be applied. Null means as soon as possible.
  add column apply_at timestamptz,
  -- Whether the job still waits for apply_at.
  add column is_scheduled boolean not null default false,
  -- The job whose changes this job reverts.
  add column reverts uuid,
  -- The job that applies this preview.
  add column applied_by uuid;

-- How many rows a part of a preview has, so that a page can be read without reading all parts before it.
alter table job_file_parts add column row_count integer;

-- What a job changed, so that it can be reverted and shown in the history of a product: one row per slice, with an array
-- per field. Element n of each array belongs to element n of skus. A slice that changed nothing has no row.
create table job_changes (
  chain_id uuid not null,
  job_id uuid not null,
  change_no bigint generated always as identity,
  vendor_id text collate "C" not null,
  -- The time of the transaction, which is also updated_at of the offers that it changed.
  changed_at timestamptz not null,
  low text collate "C" not null,
  high text collate "C" not null,
  skus text[] collate "C" not null,
  -- Null if the row is about barcodes.
  old_prices numeric(10, 3)[],
  new_prices numeric(10, 3)[],
  old_quantities integer[],
  new_quantities integer[],
  old_active boolean[],
  new_active boolean[],
  old_maximums integer[],
  new_maximums integer[],
  -- The barcodes of a product, separated by commas. Null if the row is about offers.
  old_barcodes text[],
  new_barcodes text[],
  primary key (chain_id, job_id, change_no),
  foreign key (chain_id, job_id) references jobs (chain_id, job_id) on delete cascade,
  check ((old_prices is null) <> (old_barcodes is null))
);

create index job_changes_by_vendor on job_changes (chain_id, vendor_id, changed_at);
create index job_changes_by_time on job_changes using brin (changed_at);

-- Changes of one offer each: updates that are applied immediately, and stock that orders take and return.
create table offer_history (
  chain_id uuid not null,
  vendor_id text collate "C" not null,
  sku text collate "C" not null,
  changed_at timestamptz not null,
  change_no bigint generated always as identity,
  -- Null if an update changed the offer.
  order_id uuid,
  -- The name of the credential that sent the update.
  changed_by text,
  old_price numeric(10, 3) not null,
  new_price numeric(10, 3) not null,
  old_quantity integer,
  new_quantity integer,
  old_active boolean not null,
  new_active boolean not null,
  old_maximum integer,
  new_maximum integer,
  primary key (chain_id, vendor_id, sku, changed_at, change_no)
);

create index offer_history_by_time on offer_history using brin (changed_at);

-- The SKUs in the part of a file that a preview has checked so far, to find rows with the same SKU.
create table preview_skus (
  chain_id uuid not null,
  job_id uuid not null,
  vendor_id text collate "C" not null,
  sku text collate "C" not null,
  primary key (chain_id, job_id, vendor_id, sku),
  foreign key (chain_id, job_id) references jobs (chain_id, job_id) on delete cascade
);
