-- Migration 0008 was changed after some databases had applied it: there, the counts of a change have no default.
alter table tally_changes
  alter column received set default 0,
  alter column ready_for_pickup set default 0,
  alter column dispatched set default 0,
  alter column delivered set default 0,
  alter column picked_up set default 0,
  alter column cancelled set default 0,
  alter column lines_ordered set default 0,
  alter column lines_picked set default 0,
  alter column lines_not_found set default 0,
  alter column lines_replaced set default 0,
  alter column lines_added set default 0,
  alter column attempts_succeeded set default 0,
  alter column attempts_failed set default 0;
