create table upstream_sets (
  root text not null,
  epoch integer not null,
  version integer not null,
  feed jsonb not null,
  catalogue bytea not null,
  sites bytea,
  shipped text not null,
  taken timestamptz not null,
  taken_back timestamptz,
  primary key (root, epoch, version)
);
create table upstream_feeds (
  url text not null primary key,
  etag text,
  fetched timestamptz,
  tried timestamptz not null,
  problem text,
  refused text,
  accepted text
);
