import { importList, type ListFormat, listFormats } from '@porchlight/definitions/importers/import-list.ts';
import { readKeep } from '@porchlight/definitions/importers/keep.ts';
import { shippedNeverBlock } from '@porchlight/definitions/shipped.ts';
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
  .map((fragments) => fragments.join(''));

function damage(bytes: Uint8Array, changes: [number, number][], cutLength: number): Uint8Array | null {
  const damagedCopy = bytes.slice(0, cutLength % 3 === 0 ? Math.max(0, bytes.length - (cutLength % (bytes.length + 1))) : bytes.length);
  for (const [at, by] of changes)
    if (damagedCopy.length > 0) damagedCopy[at % damagedCopy.length] = (damagedCopy[at % damagedCopy.length] ?? 0) ^ by;
  return Buffer.from(damagedCopy).equals(bytes) ? null : damagedCopy;
}

function isRefused(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch (reason) {
    if (reason instanceof SiteListError) return true;
    throw reason;
  }
}

/** A damaged list with a right checksum: it may be valid, and a reader must throw no other error. */
function withRightChecksum(bytes: Uint8Array): Uint8Array {
  if (bytes.length < listLayout.header) return bytes;
  const view = viewOf(bytes);
  const { high, low } = checksum(view, listLayout.header);
  view.setUint32(16, high, true);
  view.setUint32(20, low, true);
  return bytes;
}

const survives = (read: () => unknown): boolean => isRefused(read) || true;

const properties: Record<string, fc.IProperty<unknown> | fc.IAsyncProperty<unknown>> = {
  'a damaged list is refused': fc.property(names, bits, fc.nat(), (listedNames, changes, cut) => {
    const damagedList = damage(buildSiteList(listedNames), changes, cut);
    return (
      damagedList === null ||
      (isRefused(() => readSiteList(damagedList)) && survives(() => readSiteList(withRightChecksum(damagedList)).has('n1.example.org')))
    );
  }),
  'a damaged change is refused': fc.property(names, names, bits, fc.nat(), (namesBefore, namesAfter, changes, cut) => {
    const oldList = buildSiteList(namesBefore);
    const damagedDelta = damage(diffSiteLists(oldList, buildSiteList(namesAfter)), changes, cut);
    return damagedDelta === null || isRefused(() => applySiteDelta(oldList, damagedDelta));
  }),
  'bytes that are no list are refused': fc.property(
    fc.uint8Array({ maxLength: 200 }),
    (bytes) => isRefused(() => readSiteList(bytes)) && isRefused(() => applySiteDelta(buildSiteList([]), bytes)),
  ),
  'a list says the same of a host as a set': fc.property(names, text, (listedNames, askedText) => {
    const list = readSiteList(buildSiteList(listedNames));
    return list.has(askedText) === list.find(askedText).length > 0 && listedNames.every((name) => list.has(name) && list.has(`x.${name}`));
  }),
  'a host is read to one spelling': fc.property(text, (hostText) => {
    const firstReading = canonicalHost(hostText);
    if ('wrong' in firstReading) return firstReading.wrong !== '';
    const secondReading = canonicalHost(firstReading.host);
    return 'host' in secondReading && secondReading.host === firstReading.host && firstReading.host.length <= 253;
  }),
  'an owner is found or not': fc.property(text, (hostText) => {
    const read = canonicalHost(hostText);
    const host = 'host' in read ? read.host : hostText;
    const domain = registrableDomain(host);
    whyNeverBlocked(host, shippedNeverBlock);
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
      const importedNames: string[] = [];
      const { list, report } = await importList(chunks, {
        format,
        keep: await readKeep(chunks.slice(0, 1)),
        entry: (host) => importedNames.push(host),
      });
      buildSiteList(importedNames);
      return (
        readSiteList(list).size === report.names &&
        report.refused.every(({ why }) => why !== '') &&
        importedNames.every((host) => whyNeverBlocked(host, shippedNeverBlock) === null)
      );
    },
  ),
};

export async function parsersDrill(seconds: number, log: (line: string) => void = () => {}): Promise<string[]> {
  const problems: string[] = [];
  const msPerProperty = (seconds * 1000) / Object.keys(properties).length;
  for (const [name, property] of Object.entries(properties)) {
    const outcome = await fc.check(property as fc.IAsyncProperty<unknown>, {
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: msPerProperty,
      markInterruptAsFailure: false,
    });
    log(`${name}: ${outcome.numRuns} times`);
    if (outcome.numRuns === 0 && !outcome.failed) problems.push(`${name}: was never tried`);
    if (outcome.failed)
      problems.push(
        `${name}: not with ${JSON.stringify(outcome.counterexample)} (seed ${outcome.seed}, path ${outcome.counterexamplePath}): ${String(outcome.errorInstance)}`,
      );
  }
  return problems;
}
