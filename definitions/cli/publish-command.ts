import type { SignedFeed } from '@porchlight/contract/shapes.ts';
import { openFeed, partOf } from '../feed.ts';
import { partMax } from '../feed-format.ts';
import { catalogueBytes, signSet, validityMs } from '../feed-make.ts';
import { refusalOf } from '../feed-offer.ts';
import type { Recognition } from '../recognition.ts';
import { shippedRecognition } from '../shipped.ts';
import { readSiteList } from '../sites/site-list.ts';
import { type Command, usageHint } from './command.ts';
import { Failure, Usage } from './command-line.ts';
import { diffRecognition } from './diff.ts';
import { readFeedFolder, type StoredFeed, writeFeedFolder } from './feed-folder.ts';
import { catalogueOf, problemsIn, read, readBytes } from './files.ts';
import { keysFor, pairIn, rootIn } from './publish-keys.ts';

export const publishCommand: Command = {
  name: 'publish',
  usage: 'DIR --root ROOT --key KEY [--sites LIST] [--from FOLDER] [--successor NEWROOT] [--accept]',
  help: `Checks all that is recognised here, and writes it to DIR as a signed feed that any web server can serve: DIR/feed.json and DIR/parts.
    Goes on from the feed that is in DIR. Writes nothing when anything is wrong, nor when nothing has changed and the signature is fresh.
    ROOT and KEY are files that "new-key" wrote: the root says which key is good, the key signs the set. Keep both away from the server's
    disk and from the repository. A new key, a new root, and every ten months the list of keys need the root's private half; for all else
    ROOT can be a file with its "public_key" alone. --sites adds a list of sites; --from takes the programs of another folder than the
    catalogue; --successor lets NEWROOT follow ROOT; --accept publishes although much was lost or has come.`,
  async run(args, { out, now }) {
    const { words, option, flag } = read(args, publishCommand, ['root', 'key', 'sites', 'from', 'successor'], ['accept']);
    const [folder, ...extraWords] = words;
    const [rootFile, keyFile, successor] = [option('root'), option('key'), option('successor')];
    if (folder === undefined || extraWords.length > 0 || rootFile === undefined || keyFile === undefined) {
      throw new Usage(`Name the folder, the root and the key. ${usageHint(publishCommand)}`);
    }
    const issued = now();
    const [root, key] = [rootIn(rootFile), pairIn(keyFile)];
    const former = readFeedFolder(folder);
    const { keys, first_root } = keysFor(former, {
      ...{ root, key, issued },
      next_root: successor === undefined ? root.public_key : rootIn(successor).public_key,
    });
    const offered = shippedRecognition(catalogueOf(option('from')));
    const sites = sitesIn(option('sites'));
    check(former, offered, sites, flag('accept'));
    const catalogue = catalogueBytes(offered);
    const parts = [{ name: 'catalogue', bytes: catalogue }, ...(sites ? [{ name: 'sites', bytes: sites }] : [])];
    for (const { name, bytes } of parts) {
      if (bytes.length > partMax)
        throw new Failure(`The part ${name} has ${count(bytes.length)} bytes, and agents take ${count(partMax)}.`);
    }

    const changes = former ? diffRecognition(former.recognition, offered) : [];
    const isSame = former?.open.set.catalogue.sha256 === partOf(catalogue).sha256 && former.open.set.sites?.sha256 === hashOf(sites);
    const isFresh = former !== null && issued.getTime() < Date.parse(former.open.set.issued) + validityMs.set / 2;
    if (isSame && isFresh && keys.length === former.open.feed.keys.length) {
      out.write(`Nothing has changed since version ${former.open.set.version}, and nothing was written.\n`);
      return 0;
    }
    const version = (former?.open.set.version ?? 0) + 1;
    const feed: SignedFeed = { keys, set: signSet({ version, keys_version: keys.length, issued, catalogue, sites }, key) };
    const opened = openFeed(first_root, former?.open ?? null, feed, issued);
    const written = writeFeedFolder(
      folder,
      feed,
      parts.map(({ bytes }) => bytes),
      former,
    );

    const fetched = [{ name: 'feed.json', bytes: written.feed }, ...parts.filter(({ bytes }) => !written.unchanged.includes(bytes))];
    const sum = fetched.reduce((total, { bytes }) => total + bytes.length, 0);
    const lines = [
      ...(former ? changes : [`New: ${offered.definitions.length} families.`]),
      ...(former && changes.length === 0 ? ['No definition has changed.'] : []),
      `Version ${version} is in ${folder}, for servers that have pinned the root ${first_root}.`,
      `Publish again before ${dayOf(opened.set.expires)}, when it ends. Its keys end on ${dayOf(opened.keys.expires)}.`,
      `${former ? `A server with version ${version - 1}` : 'A server'} fetches ${count(sum)} bytes: ${fetched.map(({ name, bytes }) => `${name} ${count(bytes.length)}`).join(', ')}.`,
    ];
    out.write(lines.map((line) => `${line}\n`).join(''));
    return 0;
  },
};

const count = (bytes: number) => bytes.toLocaleString('en-US');
const dayOf = (time: string) => time.slice(0, 10);
const hashOf = (bytes: Uint8Array | null) => (bytes ? partOf(bytes).sha256 : undefined);

function check(former: StoredFeed | null, offered: Recognition, sites: Uint8Array | null, accepted: boolean): void {
  const problems = problemsIn(offered);
  if (problems.length > 0) throw new Failure([...problems, `Nothing was written: ${problems.length} to put right first.`].join('\n'));
  const offer = { recognition: offered, sites };
  const refusal = refusalOf(former, offer, accepted);
  if (!refusal) return;
  const hint = refusalOf(former, offer, true) ? '' : ' If that is right, publish it with --accept; each operator accepts it too.';
  throw new Failure(`${refusal}${hint}\nNothing was written.`);
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
