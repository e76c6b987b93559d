-- A client can be limited to some vendors, like an API token. Null means every vendor of the chain.
alter table clients add column vendor_ids text[];

-- The scopes that were requested for an access token. Null means all scopes of its client.
alter table access_tokens add column scopes text[];
