import { createHash } from 'node:crypto';
import type { SignedFeed } from '@porchlight/contract/shapes.ts';
import { sha256Of } from '@porchlight/definitions/feed.ts';
import { type SetPayload, setPayload } from '@porchlight/definitions/feed-format.ts';
import { catalogueBytes, signSet, validityMs } from '@porchlight/definitions/feed-make.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import { type ListedMoney, listMoney } from '@porchlight/definitions/money/money-sites.ts';
import { type Recognition, readRecognition } from '@porchlight/definitions/recognition.ts';
import { diffSiteLists } from '@porchlight/definitions/sites/site-delta.ts';
import { sql } from 'kysely';
import { notify } from '../../db/notify.ts';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { Sealer } from '../../secrets/seal.ts';
import { partStore } from './feed-parts.ts';
import { feedKeys, type Rotated } from './keys.ts';

/** How many previous site lists have a delta to the newest list. */
const deltaVersions = 10;

/** The parts of the definitions that changed; other parts stay as published. */
export interface Publication {
  recognition?: Recognition;
  sites?: Uint8Array | null;
}

export type DefinitionStore = ReturnType<typeof definitionStore>;

/** The signed sets of definitions for agents; versions only increase. */
export function definitionStore(db: Db, clock: Clock, sealer: Sealer) {
  const keys = feedKeys(db, clock, sealer);
  const feedParts = partStore(clock);
  let cached: { sha256: string; definitions: Definition[]; money: ListedMoney } | null = null;
  const newestSet = (connection: Db | Trx) =>
    connection.selectFrom('definition_sets').selectAll().orderBy('version', 'desc').limit(1).executeTakeFirst();

  const publishIn = async (trx: Trx, changes: Publication): Promise<number> => {
    const newest = await newestSet(trx);
    const { epoch, version: keys_version, signing } = await keys.inForce(trx);
    const catalogue = changes.recognition ? catalogueBytes(changes.recognition) : await feedParts.need(trx, newest?.catalogue);
    const sites = changes.sites === undefined ? newest?.sites && (await feedParts.need(trx, newest.sites)) : changes.sites;
    const [catalogueHash, sitesHash] = [sha256Of(catalogue), sites ? sha256Of(sites) : null];
    const content_hash = createHash('sha256').update(`${signing.public_key} ${keys_version} ${catalogueHash} ${sitesHash}`).digest('hex');
    const isFresh = newest && newest.expires > after(clock.now(), validityMs.set / 2);
    if (isFresh && newest.content_hash === content_hash) return newest.version;

    const version = (newest?.version ?? 0) + 1;
    const issued = clock.now();
    const deltas = sites && sitesHash ? await deltasTo(trx, sites, sitesHash) : [];
    const set = { epoch, version, keys_version, issued, catalogue, sites: sites || null, deltas };
    const document = signSet(set, signing);
    for (const bytes of [catalogue, ...(sites ? [sites] : []), ...deltas.map((delta) => delta.bytes)]) await feedParts.put(trx, bytes);
    const expires = after(issued, validityMs.set);
    const row = { version, content_hash, issued, expires, catalogue: catalogueHash, sites: sitesHash };
    await trx
      .insertInto('definition_sets')
      .values({ ...row, document: JSON.stringify(document) })
      .execute();
    await feedParts.forgetOthers(trx, [...(await recent(trx)).flatMap(partHashes)]);
    await notify(trx, 'definitions', String(version));
    return version;
  };

  const recent = async (trx: Trx): Promise<SetPayload[]> => {
    const newest = trx.selectFrom('definition_sets').select('document').orderBy('version', 'desc');
    const rows = await newest.limit(deltaVersions).execute();
    return rows.map(({ document }) => setPayload.parse(JSON.parse(document.payload)));
  };

  /** Deltas from recent site lists to this list; existing deltas are reused. */
  const deltasTo = async (trx: Trx, sites: Uint8Array, sha256: string) => {
    const previousLists = await recent(trx);
    const existingDeltas = previousLists.find((set) => set.sites?.sha256 === sha256)?.deltas ?? [];
    const lists = new Set(previousLists.flatMap((set) => (set.sites && set.sites.sha256 !== sha256 ? [set.sites.sha256] : [])));
    return Promise.all(
      [...lists].map(async (oldHash) => {
        const existingDelta = existingDeltas.find((delta) => delta.from === oldHash);
        return {
          from: oldHash,
          bytes: existingDelta ? await feedParts.need(trx, existingDelta.sha256) : diffSiteLists(await feedParts.need(trx, oldHash), sites),
        };
      }),
    );
  };

  /** Runs publications one at a time across servers and commands. */
  const serialised = <T>(work: (trx: Trx) => Promise<T>) =>
    db.transaction().execute(async (trx) => {
      await sql`lock table definition_sets in exclusive mode`.execute(trx);
      return work(trx);
    });

  /** `connection`: within a transaction its own, since every other connection may wait for this transaction. */
  const setInForce = async (connection: Db | Trx = db) => {
    const newest = await connection
      .selectFrom('definition_sets')
      .select('catalogue')
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst();
    const sha256 = newest?.catalogue ?? '';
    if (cached?.sha256 !== sha256) {
      // Each caller reads them on its own connection: waiting for a caller that waits for a connection may last for ever.
      const bytes = await feedParts.need(connection, sha256);
      const { definitions, money } = readRecognition(bytes);
      cached = { sha256, definitions, money: listMoney(money) };
    }
    return cached;
  };
  const inForce = async (connection?: Db | Trx): Promise<Definition[]> => (await setInForce(connection)).definitions;
  return {
    /** Publishes changed definitions and renews expiring signatures. Returns the current version. */
    publish: (changes: Publication) => serialised((trx) => publishIn(trx, changes)),

    /** Rotates a key and publishes with it in one transaction. */
    rotate: (keyName: 'signing_key' | 'root') =>
      serialised(async (trx) => {
        await (keyName === 'root' ? keys.newRoot(trx) : keys.newSigningKey(trx));
        return publishIn(trx, {});
      }),

    rotateKey: (purpose: Rotated, options: { stolen: boolean }) =>
      serialised(async (trx) => {
        await keys.newKey(trx, purpose, options);
        return publishIn(trx, {});
      }),

    /** Publishes the operator's statement about the next release key; an invalid statement changes nothing. */
    rotateReleaseKey: (statement: string) =>
      serialised(async (trx) => {
        const releaseOutcome = await keys.newReleaseKey(trx, statement);
        if (releaseOutcome.outcome === 'done') await publishIn(trx, {});
        return releaseOutcome;
      }),

    /** Lets agents accept lower versions after a database restore. Returns the new epoch. */
    raiseEpoch: () =>
      serialised(async (trx) => {
        const epoch = await keys.raiseEpoch(trx);
        await publishIn(trx, {});
        return epoch;
      }),

    rootKey: keys.rootKey,
    keysAfter: keys.after,

    /** The newest versions; 0 before the first publication. */
    async newest(): Promise<{ version: number; keys: { epoch: number; version: number } }> {
      const row = await newestSet(db);
      if (!row) return { version: 0, keys: { epoch: 1, version: 0 } };
      const { epoch, keys_version } = setPayload.pick({ epoch: true, keys_version: true }).parse(JSON.parse(row.document.payload));
      return { version: row.version, keys: { epoch, version: keys_version } };
    },

    /** The signed definitions, and the key lists that the agent does not have. */
    async feed(knownVersion: { epoch: number; version: number }): Promise<SignedFeed> {
      const newest = await newestSet(db);
      if (!newest) throw new Error('No definitions were published yet.');
      return { keys: await keys.after(knownVersion), set: newest.document };
    },

    part: (sha256: string) => feedParts.findCached(db, sha256),

    inForce,

    /** The money sites of the set in force. */
    moneyInForce: async (connection?: Db | Trx): Promise<ListedMoney> => (await setInForce(connection)).money,

    async status() {
      const newest = await newestSet(db);
      const latestSet = newest && setPayload.parse(JSON.parse(newest.document.payload));
      return latestSet && { ...latestSet, families: (await inForce()).length };
    },
  };
}

const partHashes = ({ catalogue, sites, deltas }: SetPayload): string[] =>
  [catalogue, ...(sites ? [sites] : []), ...deltas].map((part) => part.sha256);
