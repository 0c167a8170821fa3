import { everyRow } from './every-row.ts';
import { simulatorTables } from './simulator-tables.ts';
import type { TestServer } from './world.ts';

/** Tables that differ between servers: keys and what they signed, and the simulators' data. */
const differingTables = ['server_keys', 'definition_sets', 'feed_keys', 'feed_parts', ...simulatorTables];

/** Once no event of the payment service and no job is waiting. Names that are equal on every server replace ids, hashes and random values. */
export async function allRows(server: TestServer): Promise<string[]> {
  await server.stripeSimulator.deliver();
  await server.app.worker.idle();
  const names = await namesOf(server);
  const rows = await everyRow(server, { without: differingTables });
  return rows.map(({ name, row }) => `${name} ${normalizeText(row, names)}`).sort();
}

/** The owner of each id: a row that belongs to another user differs. */
export async function namesOf({ db }: TestServer): Promise<Map<string, string>> {
  const accounts = await db.selectFrom('accounts').select(['uuid', 'email as name']).execute();
  const devices = db.selectFrom('devices').innerJoin('accounts', 'accounts.uuid', 'account');
  const guardians = db.selectFrom('guardians').innerJoin('accounts', 'accounts.uuid', 'account');
  const ownedRows = [
    ...(await devices.select(['devices.uuid', 'devices.name', 'accounts.email']).execute()),
    ...(await guardians.select(['guardians.uuid', 'guardians.name', 'accounts.email']).execute()),
  ];
  return new Map([
    ...accounts.map(({ uuid, name }) => [uuid, name] as const),
    ...ownedRows.map(({ uuid, name, email }) => [uuid, `${name} of ${email}`] as const),
  ]);
}

/** Replaces ids, random values and callers' addresses. */
export function normalizeText(text: string, names: Map<string, string>): string {
  return (
    text
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (uuid) => `<${names.get(uuid) ?? 'id'}>`)
      .replace(/\$argon2id\$[^"]+/g, '<password>')
      .replace(/\\\\x[0-9a-f]+/g, '<bytes>')
      // The number of requests to Stripe depends on timing, the result does not.
      .replace(/(\\?")(asked|written)\1: \d+/g, '$1$2$1')
      .replace(/\b(cus|sub|cs_test|cs|evt|in)_\w+/g, '<$1>')
      .replace(/(?<=[?&]ticket=)[\w-]+/g, '<random>')
      .replace(/(?<![\w-])[\w-]{43,}(?:\.[\w-]+)*=*/g, '<random>')
      .replace(/\?ticket=[\w-]+/g, '?ticket=<random>')
      // Before other codes, since two of its three groups may be digits alone.
      .replace(/\b[2-9a-z]{4}(?:-[2-9a-z]{4}){2}\b/g, '<recovery code>')
      .replace(/\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/g, '<code>')
      .replace(/\b[A-Z2-7]{32}\b/g, '<secret>')
      .replace(/\b198\.18\.\d+\.\d+\b/g, '<place>')
  );
}
