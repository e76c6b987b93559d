-- The code of a rejected item, as in the file of the job. Feedback stored before has none.
alter table job_feedback add column code text;
