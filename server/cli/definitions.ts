import { counted } from '@porchlight/contract/language.ts';
import { helpHint, readCommandLine, Usage } from '@porchlight/definitions/cli/command-line.ts';
import { defaultLists } from '@porchlight/definitions/default-lists.ts';
import { partMax } from '@porchlight/definitions/feed-format.ts';
import { readFirstList } from '@porchlight/definitions/first-list.ts';
import { canonicalHost } from '@porchlight/definitions/sites/host.ts';
import { siteCountOf } from '@porchlight/definitions/sites/list-bytes.ts';
import type { WrongMatch } from '../features/definitions/reports.ts';
import { firstListName, type SiteListRow } from '../features/definitions/site-lists.ts';
import { type SourcesOfSite, sourcesOf } from '../features/definitions/sources-of.ts';
import type { Command, CommandDeps } from './command-deps.ts';
import { program, readOptions } from './usage.ts';

const rotate = (keyKind: 'signing_key' | 'root', command: { name: string; help: string }, result: string): Command => ({
  ...command,
  usage: '',
  read: (args) => {
    readOptions(command.name, args, {});
    return async ({ definitions }) => [`${result} Version ${await (await definitions()).rotate(keyKind)} is signed with it.`];
  },
});

export const rotateSigningKey = rotate(
  'signing_key',
  { name: 'definitions rotate-signing-key', help: 'A new key that signs what agents get; the old one is no longer valid.' },
  'There is a new signing key, and what the old one signs is not taken any more.',
);

export const rotateRoot = rotate(
  'root',
  { name: 'definitions rotate-root', help: 'A new root key, once a year or when someone may know the old one.' },
  'There is a new root key; agents that know the old one follow it by themselves.',
);

export const definitionStatus: Command = {
  name: 'definitions status',
  usage: '',
  help: 'What agents get now, until when, and name, licence, size, age and last problem of each list of sites.',
  read: (args) => {
    readOptions('definitions status', args, {});
    return async ({ definitions, siteLists, upstream, now }) => {
      const status = await (await definitions()).status();
      if (!status) return ['Nothing was published yet: start the server once.'];
      const { version, keys_version, issued, expires, families, catalogue, sites, deltas } = status;
      const delta = deltas[0]?.length ?? 0;
      const size = sites
        ? `a list of ${siteCountOf(sites.length)} sites (${sites.length} bytes), and changes from ${deltas.length} lists before it`
        : 'no list of sites';
      return [
        `Version ${version} of ${issued}, signed anew before ${expires}: ${families} families, ${size}. The list of keys is number ${keys_version}.`,
        ...(upstream ? await feedLines(upstream) : ['No feed is fetched: what ships with this version is recognized.']),
        `What is recognised has ${catalogue.length} bytes, the newest change of the list of sites ${delta}. On a day on which both changed once, an agent fetches ${catalogue.length + delta} bytes; none of its files may have more than ${partMax}.`,
        ...(await siteLists.all()).map((list) => listLine(list, now())),
      ];
    };
  },
};

/** `The feed https://…: set 7 of 2026-11-30T… is in force, as of …, last try …: its server answered 503`. */
async function feedLines({ url, state, inForce, newest }: NonNullable<CommandDeps['upstream']>): Promise<string[]> {
  const [row, taken, last] = [await state(url), await inForce(), await newest()];
  const inUse = taken ? `set ${taken.version} of ${taken.issued.toISOString()} is in force` : 'nothing was taken yet';
  const hint = row?.refused ? ' After a look at it, "definitions accept-feed" takes it unless it would harm.' : '';
  const tried = row?.problem ? [`last try ${row.tried.toISOString()}: ${row.problem}${hint}`] : [];
  const asOf = row?.fetched ? [`as of ${row.fetched.toISOString()}`] : ['never fetched'];
  const back = last && last.set.version !== taken?.version ? [`Set ${last.set.version} was taken back, and is not taken again.`] : [];
  return [`The feed ${url}: ${[inUse, ...asOf, ...tried].join(', ')}`, ...back];
}

/** `Maltrail: browser lockers (MIT) https://…: 21042 sites, as of 2026-11-21T09:00:00.000Z (2 days ago), last try …: its server answered 503`. */
function listLine({ url, count, fetched, tried, problem }: SiteListRow, now: Date): string {
  const sites = `${count} sites${url === firstListName ? ' still in force' : ''}`;
  const state = fetched ? [sites, `as of ${fetched.toISOString()}${ageOf(fetched, now)}`] : ['never fetched'];
  return `${listName(url)}: ${[...state, ...(problem ? [`last try ${tried.toISOString()}: ${problem}`] : [])].join(', ')}`;
}

function listName(url: string): string {
  if (url === firstListName) return 'The first list, which ships with the server';
  const known = defaultLists.find((list) => list.url === url);
  return known ? `${known.name} (${known.licence}) ${url}` : url;
}

function ageOf(fetched: Date, now: Date): string {
  const days = Math.floor((now.getTime() - fetched.getTime()) / 86_400_000);
  return days === 0 ? '' : ` (${counted(days, 'day')} ago)`;
}

export const siteSources: Command = {
  name: 'definitions sources',
  usage: 'NAME',
  help: 'Whether agents block a site, and which lists have it or a name above it: the fetched ones, with the time of the fetch, and the first.',
  read: (args) => {
    const { positionals } = readCommandLine(
      args,
      {},
      { command: 'definitions sources', hint: `; ${helpHint(program)}`, positionals: true },
    );
    const host = canonicalHost(positionals[0] ?? '');
    if (positionals.length !== 1 || !('host' in host) || host.kind !== 'name')
      throw new Usage('Name one site, such as www.example.org; an address in numbers is on no list.');
    return async ({ definitions, siteLists, now }) => {
      const { status, part, moneyInForce } = await definitions();
      const sites = (await status())?.sites;
      const published = sites ? await part(sites.sha256) : null;
      return sourceLines(
        host.host,
        await sourcesOf(host.host, { store: siteLists, published, first: readFirstList(), neverBlock: (await moneyInForce()).neverBlock }),
        now(),
      );
    };
  },
};

function sourceLines(host: string, { blockedBy, lists, first }: SourcesOfSite, now: Date): string[] {
  const keepsOpen = (url: string) => defaultLists.some((list) => list.url === url && list.format === 'keep');
  const listed = lists.map(({ url, fetched, name }) => {
    const asOf = fetched ? `, as of ${fetched.toISOString()}${ageOf(fetched, now)}` : '';
    return `${listName(url)} has ${name}${keepsOpen(url) ? ', so that it stays open' : ''}${asOf}.`;
  });
  if (first) {
    const from = first.sources.length > 0 ? first.sources.join(' and ') : 'a source that is not known';
    const state = first.isInForce ? '' : '; it is not in force there any more';
    listed.push(`The first list, as of ${first.as_of.toISOString().slice(0, 10)}, has ${first.name}, from ${from}${state}.`);
  }
  return [
    blockedBy ? `${host} is blocked, by ${blockedBy}.` : `${host} is not blocked by a list.`,
    ...(listed.length > 0 ? listed : ['No list has it, or a name above it.']),
  ];
}

export const acceptList: Command = {
  name: 'definitions accept-list',
  usage: 'URL',
  help: `Accepts a list of sites that was refused because it became much shorter or longer, after you have looked at it.`,
  read: (args) => {
    const { positionals } = readCommandLine(
      args,
      {},
      { command: 'definitions accept-list', hint: `; ${helpHint(program)}`, positionals: true },
    );
    const [url] = positionals;
    if (!url || positionals.length > 1) throw new Usage('Name the address of one list; "definitions status" shows them.');
    return async ({ siteLists, fetchListsNow }) => {
      if (url === firstListName || !(await siteLists.acceptAnyLength(url)))
        throw new Usage(`There is no list ${url}; "definitions status" shows them.`);
      await fetchListsNow();
      return [`${url} is accepted with any number of sites at its next fetch, which is due now.`];
    };
  },
};

export const fetchDefinitions: Command = {
  name: 'definitions fetch',
  usage: '',
  help: 'Fetches the feed and the lists of sites now, and not only once a day; the server does it, within a minute.',
  read: (args) => {
    readOptions('definitions fetch', args, {});
    return async ({ fetchListsNow }) => {
      await fetchListsNow();
      return ['The feed and the lists are fetched as soon as a server runs; "definitions status" shows what became of it.'];
    };
  },
};

const noFeed = () => new Usage('No feed is fetched; DEFINITIONS_FEED names one.');

export const acceptFeed: Command = {
  name: 'definitions accept-feed',
  usage: '',
  help: 'Takes the set of the feed that was refused for what is in it, after you have looked at it; "definitions status" says why it was.',
  read: (args) => {
    readOptions('definitions accept-feed', args, {});
    return async ({ upstream, fetchListsNow }) => {
      if (!upstream) throw noFeed();
      if (!(await upstream.accept(upstream.url)))
        throw new Usage('No set waits to be accepted; "definitions status" says what was fetched.');
      await fetchListsNow();
      return ['The refused set is taken at the next fetch, which is due now, unless it would harm. A newer one is judged by itself.'];
    };
  },
};

export const takeBackFeed: Command = {
  name: 'definitions take-back',
  usage: '',
  help: 'Takes back the set of the feed that is in force. The last good one is in force at once, and this one is never taken again.',
  read: (args) => {
    readOptions('definitions take-back', args, {});
    return async ({ upstream, definitions, fetchListsNow }) => {
      const taken = await upstream?.takeBack();
      if (!upstream || !taken) throw upstream ? new Usage('No set of the feed is in force.') : noFeed();
      const before = await upstream.inForce();
      // What ships is known to the server alone, which publishes it with the next fetch.
      await fetchListsNow();
      if (!before) return [`Set ${taken.version} is taken back; what ships with this version is in force as soon as a server runs.`];
      const version = await (await definitions()).publish({ recognition: before.recognition });
      return [
        `Set ${taken.version} is taken back; set ${before.version} is in force again. Agents get it as version ${version}, within a minute.`,
      ];
    };
  },
};

const shownMax = 50;

function matchText({ name, category, file }: Pick<WrongMatch, 'name' | 'category' | 'file'>): string {
  if (category === 'Door') return `the change of a setting, ${name}`;
  if (category === 'PastedCommand') return `a pasted command${file && ` with ${file} in it`}`;
  return file ? `the program ${file} taken for ${name}` : `the site ${name}`;
}

/** Lists the matches that people reported as wrong (P9.6). */
export const definitionReports: Command = {
  name: 'definitions reports',
  usage: '[--all]',
  help: `What people called wrong, the most often named first: what was matched, and nothing about who reported it.
    --all             Every one, not only the first 50.`,
  read: (args) => {
    const options = readOptions('definitions reports', args, { all: { type: 'boolean' } });
    return async ({ wrongMatches }) => {
      const { rows, all } = await wrongMatches.list(options.all ? 1_000_000 : shownMax);
      if (!rows.length) return ['Nobody has called an alert wrong.'];
      return [
        ...rows.map(({ identifier, name, category, certainty, file, evidence, count, first_day, last_day }) => {
          const days = first_day === last_day ? `on ${first_day}` : `from ${first_day} to ${last_day}`;
          return `${count === 1 ? 'once' : `${count} times`}: ${matchText({ name, category, file })} (${[identifier, category, certainty, evidence && `by ${evidence}`].filter(Boolean).join(', ')}), ${days}`;
        }),
        ...(all > rows.length ? [`And ${all - rows.length} more; --all shows every one.`] : []),
      ];
    };
  },
};
