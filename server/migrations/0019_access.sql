-- Managing users requires its own scope, which existing tokens and clients do not get: an owner grants it. The demo's
-- credentials have every scope.
update api_tokens set scopes = scopes || '{users:manage}'
where chain_id = '6f8c466d-fe3a-8696-a7b4-45385769a2b3' and name = 'Demo' and scopes @> '{manage}';
update clients set scopes = scopes || '{users:manage}'
where chain_id = '6f8c466d-fe3a-8696-a7b4-45385769a2b3' and name = 'Demo' and scopes @> '{manage}';

-- A person can be a user of several chains. If an email address had to be unique across chains, creating a user would
-- reveal whether it belongs to a user of another chain.
alter table users drop constraint users_email_key;
alter table users add constraint users_chain_id_email_key unique (chain_id, email);
create index users_email on users (email);
