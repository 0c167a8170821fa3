import { importList, type ListFormat, listFormats } from '@porchlight/definitions/importers/import-list.ts';
import { readKeep } from '@porchlight/definitions/importers/keep.ts';
import { canonicalHost } from '@porchlight/definitions/sites/host.ts';
import { checksum, listLayout, SiteListError, viewOf } from '@porchlight/definitions/sites/list-bytes.ts';
import { matchesPattern, patternProblem, readPattern } from '@porchlight/definitions/sites/patterns.ts';
import { isSharedHost, registrableDomain, whyNeverBlocked } from '@porchlight/definitions/sites/public-suffix.ts';
import { applySiteDelta, diffSiteLists } from '@porchlight/definitions/sites/site-delta.ts';
import { buildSiteList, readSiteList } from '@porchlight/definitions/sites/site-list.ts';
import fc from 'fast-check';

const bits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 4 });
const names = fc.uniqueArray(
  fc.nat(5000).map((n) => `n${n}.example.org`),
  { maxLength: 40 },
);
const scraps = fc.constantFrom(
  ...'. .. * || ^ @@ $ ## # ! / \\ : :: [ ] % %00 %2e @ xn-- 0x 0 1 127.0.0.1 0.0.0.0 ::1 \uFEFF ß 。 ａ \u202e \ud800 \r \n \r\n \t com evil.com github.io , third-party'.split(
    ' ',
  ),
  ' ',
);
const text = fc
  .array(fc.oneof(scraps, fc.string({ unit: 'binary', maxLength: 8 }), fc.string({ maxLength: 20 })), { maxLength: 40 })
  .map((parts) => parts.join(''));

/** Some bytes changed, perhaps cut, and always different from what they were. */
function damaged(bytes: Uint8Array, changes: [number, number][], cut: number): Uint8Array | null {
  const other = bytes.slice(0, cut % 3 === 0 ? Math.max(0, bytes.length - (cut % (bytes.length + 1))) : bytes.length);
  for (const [at, by] of changes) if (other.length > 0) other[at % other.length] = (other[at % other.length] ?? 0) ^ by;
  return Buffer.from(other).equals(bytes) ? null : other;
}

/** True when it is refused as a list or a change is, and with no other error. */
function refused(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch (reason) {
    if (reason instanceof SiteListError) return true;
    throw reason;
  }
}

/** A damaged list to which someone gave a right checksum: it may be a list, and reading it must not break anything. */
function withRightSum(bytes: Uint8Array): Uint8Array {
  if (bytes.length < listLayout.header) return bytes;
  const view = viewOf(bytes);
  const { high, low } = checksum(view, listLayout.header);
  view.setUint32(16, high, true);
  view.setUint32(20, low, true);
  return bytes;
}

const survives = (read: () => unknown): boolean => refused(read) || true;

const properties: Record<string, fc.IProperty<unknown> | fc.IAsyncProperty<unknown>> = {
  'a damaged list is refused': fc.property(names, bits, fc.nat(), (listed, changes, cut) => {
    const other = damaged(buildSiteList(listed), changes, cut);
    return (
      other === null || (refused(() => readSiteList(other)) && survives(() => readSiteList(withRightSum(other)).has('n1.example.org')))
    );
  }),
  'a damaged change is refused': fc.property(names, names, bits, fc.nat(), (before, after, changes, cut) => {
    const old = buildSiteList(before);
    const other = damaged(diffSiteLists(old, buildSiteList(after)), changes, cut);
    return other === null || refused(() => applySiteDelta(old, other));
  }),
  'bytes that are no list are refused': fc.property(
    fc.uint8Array({ maxLength: 200 }),
    (bytes) => refused(() => readSiteList(bytes)) && refused(() => applySiteDelta(buildSiteList([]), bytes)),
  ),
  'a list says the same of a host as a set': fc.property(names, text, (listed, asked) => {
    const list = readSiteList(buildSiteList(listed));
    return list.has(asked) === list.find(asked).length > 0 && listed.every((name) => list.has(name) && list.has(`x.${name}`));
  }),
  'a host is read to one spelling': fc.property(text, (typed) => {
    const once = canonicalHost(typed);
    if ('wrong' in once) return once.wrong !== '';
    const twice = canonicalHost(once.host);
    return 'host' in twice && twice.host === once.host && once.host.length <= 253;
  }),
  'an owner is found or not': fc.property(text, (typed) => {
    const read = canonicalHost(typed);
    const host = 'host' in read ? read.host : typed;
    const domain = registrableDomain(host);
    whyNeverBlocked(host);
    return (
      domain === null ||
      !('host' in read) ||
      ((host === domain || host.endsWith(`.${domain}`)) && (!isSharedHost(domain) || registrableDomain(`s3.${domain}`) !== domain))
    );
  }),
  'a pattern is judged and compared': fc.property(text, text, (pattern, host) => {
    patternProblem(pattern);
    return typeof matchesPattern(host.split('.'), readPattern(pattern)) === 'boolean';
  }),
  'a text in any format gives a list of names': fc.asyncProperty(
    fc.array(text, { maxLength: 6 }),
    fc.constantFrom(...(Object.keys(listFormats) as ListFormat[])),
    async (chunks, format) => {
      const taken: string[] = [];
      const { list, report } = await importList(chunks, {
        format,
        keep: await readKeep(chunks.slice(0, 1)),
        entry: (host) => taken.push(host),
      });
      buildSiteList(taken);
      return (
        readSiteList(list).size === report.names &&
        report.refused.every(({ why }) => why !== '') &&
        taken.every((host) => whyNeverBlocked(host) === null)
      );
    },
  ),
};

/** Feeds every parser of sites for `seconds` in all with what nobody would send on purpose. Gives back what broke, one sentence each. */
export async function parsersDrill(seconds: number, log: (line: string) => void = () => {}): Promise<string[]> {
  const wrong: string[] = [];
  const each = (seconds * 1000) / Object.keys(properties).length;
  for (const [name, property] of Object.entries(properties)) {
    const told = await fc.check(property as fc.IAsyncProperty<unknown>, {
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: each,
      markInterruptAsFailure: false,
    });
    log(`${name}: ${told.numRuns} times`);
    if (told.numRuns === 0 && !told.failed) wrong.push(`${name}: was never tried`);
    if (told.failed)
      wrong.push(
        `${name}: not with ${JSON.stringify(told.counterexample)} (seed ${told.seed}, path ${told.counterexamplePath}): ${String(told.errorInstance)}`,
      );
  }
  return wrong;
}
