alter table held_requests
  add column sealed_call text,
  add column failed timestamptz,
  add column failure text;
