-- Users who pick orders and see nothing else, and users of any role who are limited to some stores.

alter table users drop constraint users_role_check,
  add constraint users_role_check check (role in ('OWNER', 'MANAGER', 'VIEWER', 'PICKER'));

-- A user without a row has access to all current and future stores. A table of its own, because the previous version
-- reads users while the database is migrated.
create table user_vendors (
  chain_id uuid not null,
  user_id uuid not null,
  vendor_ids text[] not null check (cardinality(vendor_ids) > 0),
  primary key (chain_id, user_id),
  foreign key (chain_id, user_id) references users (chain_id, user_id) on delete cascade
);
