import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
alter table acts add column received timestamptz;
update acts set received = time;
alter table acts alter column received set not null, alter column received set default now();

create index rate_counts_ends on rate_counts (ends);
create index email_links_expires on email_links (expires);
create index sessions_last_used on sessions (last_used)
`;
