-- Time zones used to accept offsets, which PostgreSQL reverses or does not know. Only names are accepted now.
update vendors
set timezone = case
  when timezone ~ '^(\+(0\d|1[0-4])|-(0\d|1[0-2]))(:?00)?$'
    then 'Etc/GMT' || translate(left(timezone, 1), '+-', '-+') || substr(timezone, 2, 2)::int
  else 'UTC'
end
where timezone ~ '^[+-]';
