import { type RawBuilder, sql } from 'kysely';

/** How an account is recognised in every table. `email`: its present address. */
export interface AccountKeys {
  uuid: string;
  email: string;
}

/** Which rows of a table are an account's, as a condition. */
export type Owned = (account: AccountKeys) => RawBuilder<unknown>;

export const idsOf = (table: 'devices' | 'guardians' | 'incidents' | 'held_requests' | 'calls', { uuid }: AccountKeys) =>
  sql`(select uuid from ${sql.table(table)} where account = ${uuid})`;
const textIdsOf = (table: Parameters<typeof idsOf>[0], { uuid }: AccountKeys) =>
  sql`(select uuid::text from ${sql.table(table)} where account = ${uuid})`;

export const byAccount: Owned = ({ uuid }) => sql`account = ${uuid}`;
export const byDevice: Owned = (account) => sql`device in ${idsOf('devices', account)}`;
export const byGuardian: Owned = (account) => sql`guardian in ${idsOf('guardians', account)}`;
export const byIncident: Owned = (account) => sql`incident in ${idsOf('incidents', account)}`;
export const byRequest: Owned = (account) => sql`request in ${idsOf('held_requests', account)}`;

/** Whether the content of a job that has any names the account, or is a message to its holder about it. */
const isAbout = (account: AccountKeys) => sql`(
  payload->>'account' = ${account.uuid}
  or payload->>'change_of' = ${account.uuid}
  or lower(payload->>'reset_for') = ${account.email.toLowerCase()}
  or payload->>'device' in ${textIdsOf('devices', account)}
  or payload->>'guardian' in ${textIdsOf('guardians', account)}
  or payload->>'incident' in ${textIdsOf('incidents', account)}
  or payload->>'call' in ${textIdsOf('calls', account)}
  or payload->>'delivery' in (select key from deliveries where account = ${account.uuid})
  or (kind = 'mail' and unique_key like 'guardian-link:%' and split_part(unique_key, ':', 3) in ${textIdsOf('guardians', account)})
  or (kind = 'sms' and unique_key like 'phone-code:%' and payload->>'to' = (select phone_number from accounts where uuid = ${account.uuid}))
  or (kind = 'mail' and unique_key not like 'guardian-link:%' and lower(payload->>'to') = ${account.email.toLowerCase()}
    and coalesce((select deliveries.account from deliveries where key = unique_key), ${account.uuid}) = ${account.uuid})
)`;

/**
 * Jobs about the account: those of its deliveries, by their keys, and waiting and failed ones by their content, for which there are indexes.
 * A finished job has no content. An email to the same address about somebody else, whose guardian the holder is, is not the account's.
 */
export const byContent: Owned = (account) => sql`id in (
  select jobs.id from deliveries join jobs on unique_key = key where deliveries.account = ${account.uuid}
  union all select id from jobs where done_at is null and failed_at is null and ${isAbout(account)}
  union all select id from jobs where failed_at is not null and ${isAbout(account)}
)`;

/** The part of a key after its action. Where attempts are counted for an address, it is a keyed hash, which no statement can make. */
const countedFor = sql`substr(key, strpos(key, ':') + 1)`;
export const byCountedKey: Owned = (account) => sql`${countedFor} = ${account.uuid}
  or ${countedFor} in ${textIdsOf('devices', account)}
  or ${countedFor} in ${textIdsOf('guardians', account)}`;
