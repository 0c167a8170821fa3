import { createHash } from 'node:crypto';
import type { SignedFeed } from '@porchlight/contract/shapes.ts';
import { sha256Of } from '@porchlight/definitions/feed.ts';
import { cataloguePart, type SetPayload, setPayload } from '@porchlight/definitions/feed-format.ts';
import { catalogueBytes, lasts, signSet } from '@porchlight/definitions/feed-make.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import { diffSiteLists } from '@porchlight/definitions/sites/site-delta.ts';
import { sql } from 'kysely';
import { notify } from '../../db/notify.ts';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { Sealer } from '../../lib/seal.ts';
import { feedKeys, type Rotated } from './keys.ts';
import { partStore } from './parts.ts';

/** For so many versions back there is a change that leads to the newest list of sites. */
const deltasBack = 10;

/** What is new; the rest stays as it was published last. */
export interface Publication {
  definitions?: Definition[];
  /** Bytes of a site list; null for none. */
  sites?: Uint8Array | null;
}

export type DefinitionStore = ReturnType<typeof definitionStore>;

/** The signed sets that agents fetch; versions only ever grow. */
export function definitionStore(db: Db, clock: Clock, sealer: Sealer) {
  const keys = feedKeys(db, clock, sealer);
  const parts = partStore(clock);
  let read: { sha256: string; definitions: Promise<Definition[]> } | null = null;
  const newestSet = (on: Db | Trx) => on.selectFrom('definition_sets').selectAll().orderBy('version', 'desc').executeTakeFirst();

  const publishIn = async (trx: Trx, news: Publication): Promise<number> => {
    const newest = await newestSet(trx);
    const { epoch, version: keys_version, signing } = await keys.inForce(trx);
    const catalogue = news.definitions ? catalogueBytes(news.definitions) : await parts.need(trx, newest?.catalogue);
    const sites = news.sites === undefined ? newest?.sites && (await parts.need(trx, newest.sites)) : news.sites;
    const [catalogueHash, sitesHash] = [sha256Of(catalogue), sites ? sha256Of(sites) : null];
    const content_hash = createHash('sha256').update(`${signing.public_key} ${keys_version} ${catalogueHash} ${sitesHash}`).digest('hex');
    const lives = newest?.expires && newest.expires > after(clock.now(), lasts.set / 2);
    if (newest && newest.content_hash === content_hash && lives) return newest.version;

    const version = (newest?.version ?? 0) + 1;
    const issued = clock.now();
    const deltas = sites && sitesHash ? await deltasTo(trx, sites, sitesHash) : [];
    const set = { epoch, version, keys_version, issued, catalogue, sites: sites || null, deltas };
    const document = signSet(set, signing);
    for (const bytes of [catalogue, ...(sites ? [sites] : []), ...deltas.map((delta) => delta.bytes)]) await parts.put(trx, bytes);
    const expires = after(issued, lasts.set);
    const row = { version, content_hash, issued, expires, catalogue: catalogueHash, sites: sitesHash };
    await trx
      .insertInto('definition_sets')
      .values({ ...row, document: JSON.stringify(document) })
      .execute();
    await parts.forgetOthers(trx, [...(await recent(trx)).flatMap(named)]);
    await notify(trx, 'definitions', String(version));
    return version;
  };

  const recent = async (trx: Trx): Promise<SetPayload[]> => {
    const newest = trx.selectFrom('definition_sets').select('document').where('catalogue', 'is not', null).orderBy('version', 'desc');
    const rows = await newest.limit(deltasBack).execute();
    return rows.map(({ document }) => setPayload.parse(JSON.parse(document.payload)));
  };

  /** From each list of the last versions to this one. What was made before is used again. */
  const deltasTo = async (trx: Trx, sites: Uint8Array, sha256: string) => {
    const before = await recent(trx);
    const made = before.find((set) => set.sites?.sha256 === sha256)?.deltas ?? [];
    const lists = new Set(before.flatMap((set) => (set.sites && set.sites.sha256 !== sha256 ? [set.sites.sha256] : [])));
    return Promise.all(
      [...lists].map(async (from) => {
        const ready = made.find((delta) => delta.from === from);
        return { from, bytes: ready ? await parts.need(trx, ready.sha256) : diffSiteLists(await parts.need(trx, from), sites) };
      }),
    );
  };

  /** One publication at a time, however many servers and commands there are. */
  const alone = <T>(work: (trx: Trx) => Promise<T>) =>
    db.transaction().execute(async (trx) => {
      await sql`lock table definition_sets in exclusive mode`.execute(trx);
      return work(trx);
    });

  return {
    /** Publishes what is new, signs anew what ends soon, and otherwise does nothing. Answers the version in force. */
    publish: (news: Publication) => alone((trx) => publishIn(trx, news)),

    /** Changes a key and publishes under the new one, both or neither. */
    rotate: (which: 'signing_key' | 'root') =>
      alone(async (trx) => {
        await (which === 'root' ? keys.newRoot(trx) : keys.newSigningKey(trx));
        return publishIn(trx, {});
      }),

    /** Changes what signs policies, or links. */
    rotateKey: (purpose: Rotated, how: { stolen: boolean }) =>
      alone(async (trx) => {
        await keys.newKey(trx, purpose, how);
        return publishIn(trx, {});
      }),

    /** Passes on the operator's word which release key comes next, to agents that know the one before. Anything else changes nothing. */
    rotateReleaseKey: (statement: string) =>
      alone(async (trx) => {
        const done = await keys.newReleaseKey(trx, statement);
        if (done.outcome === 'done') await publishIn(trx, {});
        return done;
      }),

    /** After this database was put back to an older state: agents take what it says, though its versions are lower. Answers the epoch. */
    raiseEpoch: () =>
      alone(async (trx) => {
        const epoch = await keys.raiseEpoch(trx);
        await publishIn(trx, {});
        return epoch;
      }),

    rootKey: keys.rootKey,
    keysAfter: keys.after,

    /** The newest set, and the list of keys that it was made with; 0 while there is none. */
    async newest(): Promise<{ version: number; keys: { epoch: number; version: number } }> {
      const row = await newestSet(db);
      if (!row) return { version: 0, keys: { epoch: 1, version: 0 } };
      const { epoch, keys_version } = setPayload.pick({ epoch: true, keys_version: true }).parse(JSON.parse(row.document.payload));
      return { version: row.version, keys: { epoch, version: keys_version } };
    },

    /** What an agent gets that knows the lists of keys up to `known`. */
    async feed(known: { epoch: number; version: number }): Promise<SignedFeed> {
      const newest = await newestSet(db);
      if (!newest) throw new Error('No definitions were published yet.');
      return { keys: await keys.after(known), set: newest.document };
    },

    part: (sha256: string) => parts.find(db, sha256),

    /** The families of the published set. */
    async inForce(): Promise<Definition[]> {
      const newest = await db.selectFrom('definition_sets').select('catalogue').orderBy('version', 'desc').executeTakeFirst();
      const sha256 = newest?.catalogue ?? '';
      if (read?.sha256 !== sha256) {
        const definitions = parts.need(db, sha256).then((bytes) => cataloguePart.parse(JSON.parse(bytes.toString('utf8'))).definitions);
        // What could not be read is read again by whoever asks next.
        definitions.catch(() => (read = null));
        read = { sha256, definitions };
      }
      return read.definitions;
    },

    /** For the operator: what is in force, and until when. */
    async status() {
      const newest = await newestSet(db);
      const set = newest && setPayload.parse(JSON.parse(newest.document.payload));
      return set && { ...set, families: (await this.inForce()).length };
    },
  };
}

const named = ({ catalogue, sites, deltas }: SetPayload): string[] =>
  [catalogue, ...(sites ? [sites] : []), ...deltas].map((part) => part.sha256);
