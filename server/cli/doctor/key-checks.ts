import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type SignedDocument, signedDocument } from '@porchlight/contract/shapes.ts';
import { updateManifest } from '@porchlight/contract/updates.ts';
import { keysPayload, releasePayload } from '@porchlight/definitions/feed-format.ts';
import { keyId, openDocument, signText, verifyText } from '@porchlight/definitions/signature.ts';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/open.ts';
import { sealer } from '../../secrets/seal.ts';
import { type Check, error, type Finding, ok } from './check.ts';
import { isOpenToOthers, unlessMissing } from './computer.ts';
import { type OpenedDatabase, withDatabase } from './database-checks.ts';

const releaseKeyFile = z.object({ public_key: z.string(), private_key: z.string(), former: z.array(z.string()).default([]) });
type ReleaseKey = z.infer<typeof releaseKeyFile>;

export function keyChecks(
  { secret_key, data_dir, installers_dir }: Config,
  release_key: string | undefined,
  database: Promise<OpenedDatabase>,
): Check[] {
  const secretPath = join(data_dir, 'secret.key');
  const releasePath = resolve(release_key ?? join(data_dir, 'release-key.json'));
  return [
    withDatabase({ database }, { id: 'keys.secret', needs: ['SECRET_KEY'] }, async (db) =>
      secretFinding(db, secret_key ?? (await readFile(secretPath, 'utf8').catch(unlessMissing))?.trim(), secretPath),
    ),
    ...(secret_key === undefined
      ? [
          {
            id: 'keys.secret_file',
            needs: ['SECRET_KEY', 'DATA_DIR'],
            run: () => privateFile(secretPath, 'the secret key'),
          } satisfies Check,
        ]
      : []),
    { id: 'keys.release', needs: ['RELEASE_KEY', 'DATA_DIR'], run: () => releaseFinding(releasePath) },
    withDatabase({ database }, { id: 'keys.release_agents', needs: ['RELEASE_KEY', 'INSTALLERS_DIR'] }, (db) =>
      agentsFinding(db, releasePath, installers_dir),
    ),
  ];
}

/** Whether SECRET_KEY opens each private key in the database. `secret`: undefined where there is none. */
async function secretFinding(db: Db, secret: string | undefined, path: string): Promise<Finding> {
  const sealedKeys = await db.selectFrom('server_keys').select(['purpose', 'sealed_private_key']).orderBy('purpose').execute();
  if (!sealedKeys.length) return ok('No key is sealed yet; the first start makes them.');
  if (secret === undefined)
    return error(
      `The database is sealed with a secret key that is gone: there is no ${path}. Put it back from a backup, or set SECRET_KEY.`,
    );
  const { open } = sealer(secret);
  const closed = sealedKeys.filter(({ sealed_private_key }) => !opens(() => open(sealed_private_key))).map(({ purpose }) => purpose);
  if (closed.length)
    return error(
      `SECRET_KEY does not open the keys in the database (${closed.join(', ')}): it is not the one that this database was set up with. Set SECRET_KEY to that one.`,
    );
  return ok(`SECRET_KEY opens all ${sealedKeys.length} keys in the database.`);
}

function opens(open: () => string): boolean {
  try {
    return open() !== '';
  } catch {
    return false;
  }
}

async function privateFile(path: string, name: string): Promise<Finding> {
  const file = await stat(path).catch(unlessMissing);
  if (!file) return ok(`There is no ${path} yet; the first start makes it.`);
  if (isOpenToOthers(file.mode)) return error(`Other users of this computer may read ${name} in ${path}. Run: chmod 600 ${path}`);
  return ok(`Only its owner may read ${name} in ${path}.`);
}

async function releaseFinding(path: string): Promise<Finding> {
  const key = await readReleaseKey(path);
  if (key === null) return ok(`There is no release key in ${path}. That is right where another computer makes the installers.`);
  if (key === 'damaged')
    return error(`${path} is damaged, and no update can be signed with it. Put the release key back from a backup; agents take no other.`);
  return privateFile(path, `the release key ${keyId(key.public_key)}`);
}

/** Null without a file. Throws where the file may not be read. */
async function readReleaseKey(path: string): Promise<ReleaseKey | 'damaged' | null> {
  const text = await readFile(path, 'utf8').catch(unlessMissing);
  if (text === null) return null;
  try {
    const key = releaseKeyFile.parse(JSON.parse(text));
    const isPair = verifyText('a pair', signText('a pair', key), key.public_key);
    return isPair ? key : 'damaged';
  } catch {
    return 'damaged';
  }
}

/** Whether agents take what the release key signs: by the statements that the server passes on, and by the update that it offers. */
async function agentsFinding(db: Db, path: string, installers_dir: string): Promise<Finding> {
  const key = await readReleaseKey(path);
  if (key === null || key === 'damaged') return ok('Without a release key here, its use by agents is not compared.');
  const believed = await believedKey(db);
  if (believed === null ? key.former.length > 0 : believed !== key.public_key)
    return error(
      `Agents believe another release key than the one in ${path}. Run: npm run porchlight -- keys rotate-release --statement FILE, with the statement that npm run installers -- --new-release-key has made beside the key.`,
    );
  const manifest = await readManifest(join(installers_dir, 'update', 'manifest.json'));
  if (manifest && openDocument(manifest, key.public_key, updateManifest) === null)
    return error(`The update in ${installers_dir} is signed with another release key, and agents refuse it. Run: npm run installers`);
  return ok(`Agents are given the release key ${keyId(key.public_key)}${manifest ? ', and their update is signed with it' : ''}.`);
}

/** The key that the newest statement names; null while agents know only their built-in key. */
async function believedKey(db: Db): Promise<string | null> {
  const row = await db.selectFrom('feed_keys').select('document').orderBy('version', 'desc').limit(1).executeTakeFirst();
  const statement = row && keysPayload.parse(JSON.parse(row.document.payload)).release.at(-1);
  return statement ? releasePayload.parse(JSON.parse(statement.payload)).next : null;
}

async function readManifest(path: string): Promise<SignedDocument | null> {
  const text = await readFile(path, 'utf8').catch(unlessMissing);
  return text === null ? null : signedDocument.parse(JSON.parse(text));
}
