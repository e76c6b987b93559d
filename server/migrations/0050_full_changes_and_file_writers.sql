-- Readers of promotion changes look for a later change of all products of the same promotion.
create index promotion_changes_full on promotion_changes (chain_id, promotion_id, position)
  where skus is null and position is not null;

-- The SFTP session that has opened an unfinished file for writing.
alter table files add column writer uuid;
