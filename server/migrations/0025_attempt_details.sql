-- What a chain's developers need in order to debug an attempt. The other request headers follow from the delivery.
alter table delivery_attempts
  add column signature text,
  add column user_agent text,
  -- Whether an Authorization header was sent. Its value is not stored.
  add column is_authorized boolean,
  -- Without secrets and limited in size; see deliveries/rules/kept-response.ts. The body is in `answer`.
  add column response_headers json,
  -- Whether the response had more than what is stored in `answer`.
  add column is_answer_cut boolean,
  add column dns_ms integer,
  add column connect_ms integer,
  add column tls_ms integer,
  add column first_byte_ms integer;
