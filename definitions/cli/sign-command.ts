import { join } from 'node:path';
import { type SignedDocument, type SignedFeed, signedFeed } from '@porchlight/contract/shapes.ts';
import { z } from 'zod';
import { type OpenFeed, reopenFeed, sha256Of } from '../feed.ts';
import { catalogueBytes, signKeys, signSet } from '../feed-make.ts';
import { definitionSet } from '../recognition.ts';
import type { KeyPair } from '../signature.ts';
import { readSiteList } from '../sites/site-list.ts';
import { type Command, usageHint } from './command.ts';
import { Failure, Usage } from './command-line.ts';
import { makeFolder, read, readBytes, readText, write } from './files.ts';

export const signCommand: Command = {
  name: 'sign',
  usage: 'SET --root ROOT --key KEY --out FOLDER [--sites LIST] [--after FOLDER]',
  help: `Signs a set that "build" wrote, and writes what agents take: FOLDER/feed.json, and its parts under FOLDER/parts, each named by its
    SHA-256. ROOT and KEY are files that "new-key" wrote: the root says which key is good, the key signs the set. Keep both away from
    the server's disk and from the repository. --sites adds a list of sites; --after goes on from the feed in that folder: its keys
    stay known, and a new KEY takes the place of the one before.`,
  async run(args, { out, now }) {
    const { words, option } = read(args, signCommand, ['root', 'key', 'out', 'sites', 'after']);
    const [rootFile, keyFile, folder] = [option('root'), option('key'), option('out')];
    const [setFile] = words;
    if (setFile === undefined || words.length > 1 || rootFile === undefined || keyFile === undefined || folder === undefined) {
      throw new Usage(`Name the set, the root, the key and the folder to write. ${usageHint(signCommand)}`);
    }
    const set = builtSet(setFile);
    const [root, key] = [pairIn(rootFile), pairIn(keyFile)];
    const previousFeed = feedIn(option('after'), root);
    if (previousFeed && previousFeed.set.version >= set.version) {
      throw new Failure(
        `${setFile} is version ${set.version}, and agents have ${previousFeed.set.version} already. Build it with a larger one.`,
      );
    }
    const keys = keysFor(previousFeed, root, key, now());
    const [catalogue, sites] = [catalogueBytes(set), sitesIn(option('sites'))];
    const signed = signSet({ version: set.version, keys_version: keys.length, issued: now(), catalogue, sites }, key);
    const feed: SignedFeed = { keys, set: signed };
    makeFolder(join(folder, 'parts'));
    for (const partBytes of sites ? [catalogue, sites] : [catalogue]) write(join(folder, 'parts', sha256Of(partBytes)), partBytes);
    write(join(folder, 'feed.json'), JSON.stringify(feed));
    out.write(`Version ${set.version} is signed, in ${folder}. Agents that know the root ${root.public_key} take it.\n`);
    return 0;
  },
};

/** Adds a key list if the signing key is new. A list's version is its position in the chain. */
function keysFor(previousFeed: OpenFeed | null, root: KeyPair, key: KeyPair, now: Date): SignedDocument[] {
  const keyLists = previousFeed?.feed.keys ?? [];
  const isListedKey = previousFeed?.keys.signing.some(({ public_key }) => public_key === key.public_key);
  if (isListedKey) return keyLists;
  const keyList = { version: keyLists.length + 1, issued: now, root: root.public_key, signing: [key.public_key] };
  return [...keyLists, signKeys(keyList, root)];
}

function feedIn(folder: string | undefined, root: KeyPair): OpenFeed | null {
  if (folder === undefined) return null;
  const file = join(folder, 'feed.json');
  const { data } = signedFeed.safeParse(json(file));
  if (!data) throw new Failure(`${file} is not a feed that "sign" wrote.`);
  try {
    return reopenFeed(root.public_key, data);
  } catch {
    throw new Failure(`${file} was not signed by this root. Name the root that it was made with.`);
  }
}

function builtSet(file: string): z.infer<typeof definitionSet> {
  const { data } = definitionSet.safeParse(json(file));
  if (!data)
    throw new Failure(`${file} is not a set that "build" wrote. Build it first: npm run -s definitions -- build --version N --out FILE`);
  return data;
}

const keyPair = z.object({ public_key: z.string().regex(/^[\w-]{43}$/), private_key: z.string().regex(/^[\w-]{43}$/) });

function pairIn(file: string): KeyPair {
  const { data } = keyPair.safeParse(json(file));
  if (!data)
    throw new Failure(`${file} does not hold an Ed25519 pair: {"public_key":...,"private_key":...}, 32 raw bytes each as base64url.`);
  return data;
}

function sitesIn(file: string | undefined): Uint8Array | null {
  if (file === undefined) return null;
  const bytes = readBytes(file);
  try {
    readSiteList(bytes);
    return bytes;
  } catch (reason) {
    throw new Failure(`${file}: ${reason instanceof Error ? reason.message : String(reason)}`);
  }
}

function json(file: string): unknown {
  const text = readText(file);
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
