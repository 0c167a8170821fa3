import { type Kysely, sql } from 'kysely';
import { runAll } from './statements.ts';

/**
 * Lanes of jobs, by carrier and urgency. `domain`: of the recipient, to limit jobs per mail server; `failing_since`: when this job was
 * first refused; `why`: set for a dead letter.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
  await sql.raw(laneOfKind).execute(db);
  await runAll(db, 'create trigger jobs_lane before insert on jobs for each row when (new.lane is null) execute function jobs_lane()');
}

const statements = `
alter table jobs add column lane text, add column domain text, add column failing_since timestamptz, add column why text;
update jobs set
  lane = (case when kind in ('mail', 'sms') then kind else 'work' end) || (case
    when kind = 'sms' or kind in ('account_mail', 'guardian_link', 'stopped_look') then '_urgent'
    when kind = 'mail' and unique_key ~ '^(alert|silence|drill|guardian-link):' then '_urgent'
    when kind in ('weekly', 'plan_sync') or (kind = 'mail' and unique_key like 'weekly:%') then '_bulk'
    else '_ordinary' end),
  domain = case when kind = 'mail' then lower(substring(payload->>'to' from '[^@]*$')) when kind = 'sms' then payload->>'to' end;
alter table jobs alter column lane set not null;
drop index jobs_due;
create index jobs_due on jobs (lane, run_at) where done_at is null and failed_at is null;
create index jobs_dead on jobs (failed_at) where failed_at is not null;

create table carriers_away (
  carrier text primary key,
  since timestamptz not null,
  tried timestamptz not null,
  reason text not null
)
`;

/** During an upgrade the old server still runs and sets no lane: the trigger sets it. */
const laneOfKind = `
create function jobs_lane() returns trigger language plpgsql as $$
begin
  new.lane := (case when new.kind in ('mail', 'sms') then new.kind else 'work' end) || (case
    when new.kind = 'sms' or new.kind in ('account_mail', 'guardian_link', 'stopped_look') then '_urgent'
    when new.kind = 'mail' and new.unique_key ~ '^(alert|silence|drill|guardian-link):' then '_urgent'
    when new.kind in ('weekly', 'plan_sync') or (new.kind = 'mail' and new.unique_key like 'weekly:%') then '_bulk'
    else '_ordinary' end);
  new.domain := case when new.kind = 'mail' then lower(substring(new.payload->>'to' from '[^@]*$')) when new.kind = 'sms' then new.payload->>'to' end;
  return new;
end $$
`;
