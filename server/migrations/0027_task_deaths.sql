-- How many workers in a row have died while running a task. Apart from `attempts`, because the death of a worker rarely
-- has anything to do with the task: only failures end a task after a few attempts.
alter table queue_tasks add column deaths integer not null default 0;
