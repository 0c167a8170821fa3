import type { Kysely } from 'kysely';
import { runAll } from './statements.ts';

/** Why a detection matched, which the operator needs to correct a match that people reported as wrong. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, statements);
}

const statements = `
alter table detections add column why text not null default '';

alter table wrong_matches add column evidence text not null default '';

alter table wrong_matches drop constraint wrong_matches_pkey;

alter table wrong_matches add primary key (identifier, name, category, certainty, file, evidence)
`;
