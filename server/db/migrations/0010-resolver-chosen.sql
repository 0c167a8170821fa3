alter table browsing_protection add column resolver_chosen boolean not null default false;
update browsing_protection set resolver_chosen = true where resolver <> 'network';
