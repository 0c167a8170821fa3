import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildSiteList, readSiteList } from '../sites/site-list.ts';
import { importList, type ListFormat } from './import-list.ts';
import { readKeep } from './keep.ts';

async function imported(format: ListFormat, text: string | Uint8Array[], keep = '') {
  const names: string[] = [];
  const { list, report } = await importList(typeof text === 'string' ? [text] : text, {
    format,
    keep: await readKeep([keep]),
    entry: (host) => names.push(host),
  });
  return { names, list: readSiteList(list), report, refused: report.refused.map(({ line, why }) => `${line}: ${why}`) };
}

test('importing a hosts file takes names with unroutable addresses, with comments and any line ends', async () => {
  const file =
    '\uFEFF# made by hand\r\n0.0.0.0 evil.test.com\r\n127.0.0.1\tone.example.net two.example.net # both\r\n\r\n::1 Six.Example.NET.\r\n:: xn--bcher-kva.com\r0 zero.com\n0.0.0.0 last.com';
  const { names, report, refused } = await imported('hosts', file);
  expect(names).toEqual([
    'evil.test.com',
    'one.example.net',
    'two.example.net',
    'six.example.net',
    'xn--bcher-kva.com',
    'zero.com',
    'last.com',
  ]);
  expect(refused).toEqual([]);
  expect(report).toMatchObject({ lines: 8, names: 7, new: 7, gone: 0, changed_count: 1, refused_count: 0 });
  expect(report.changed).toEqual([{ line: 5, text: '::1 Six.Example.NET.', why: 'written in its one spelling' }]);
});

test.each<[ListFormat, string, RegExp]>([
  ['hosts', '127.0.0.1 localhost', /this computer/],
  ['hosts', '127.0.0.1 localhost.localdomain', /this computer/],
  ['hosts', '::1 ip6-loopback', /this computer/],
  ['hosts', '255.255.255.255 broadcasthost', /this computer/],
  ['hosts', '0.0.0.0 0.0.0.0', /address in numbers/],
  ['hosts', '93.184.216.34 bank.com', /another computer/],
  ['hosts', 'evil.com', /does not begin with an address/],
  ['hosts', '0.0.0.0', /no name/],
  ['hosts', '0.0.0.0 github.io', /different owners/],
  ['hosts', '0.0.0.0 www.github.io', /different owners/],
  ['hosts', '0.0.0.0 com', /single word/],
  ['hosts', '0.0.0.0 co.uk', /different owners/],
  ['hosts', '0.0.0.0 google.com', /harmless depends/],
  ['hosts', '0.0.0.0 router.lan', /network at home/],
  ['plain', 'evil.com/login', /path/],
  ['plain', 'https://evil.com/login', /path/],
  ['plain', 'evil.com:8080', /port/],
  ['plain', '1.2.3.4', /address in numbers/],
  ['plain', '[2001:db8::1]', /address in numbers/],
  ['plain', 'one.com,two.com', /more than one name/],
  ['plain', 'some words here', /more than one name/],
  ['plain', 'someone@evil.com', /mail address/],
  ['plain', 'ev*il.com', /star inside/],
  ['plain', 'a..com', /two dots/],
  ['plain', 'evil.x_y', /ends in nothing/],
  ['plain', `${'a'.repeat(64)}.com`, /63 letters/],
  ['adblock', 'example.com##.banner', /hides a part/],
  ['adblock', '##.banner', /hides a part/],
  ['adblock', 'example.com#@#.banner', /hides a part/],
  ['adblock', 'example.com#?#div:has(p)', /hides a part/],
  ['adblock', '/banner[0-9]+/', /regular expression/],
  ['adblock', '||evil.com/path^', /path|part of an address/],
  ['adblock', '||evil.com^path', /part of an address/],
  ['adblock', '|https://evil.com/', /part of an address/],
  ['adblock', '-banner-*', /part of an address/],
  ['adblock', '||evil*.com^', /star inside/],
  ['adblock', '||evil.com^$domain=example.org', /option domain=example\.org/],
  ['adblock', '||evil.com^$script', /option script/],
  ['adblock', '||evil.com^$~third-party', /option ~third-party/],
  ['adblock', '||evil.com^$important,badfilter', /option badfilter/],
  ['adblock', '@@||evil.com^$elemhide', /option elemhide/],
  ['adblock', '||1.2.3.4^', /address in numbers/],
  ['adblock', '||google.com^', /harmless depends/],
])('%s: importing refuses the line %j with the reason', async (format, line, reason) => {
  const { list, report } = await imported(format, line);
  expect(list.size).toBe(0);
  expect(report.refused).toEqual([{ line: 1, text: line.slice(0, 120), why: expect.stringMatching(reason) }]);
});

test('importing an Adblock list takes whole sites and leaves out its exceptions and their parent domains', async () => {
  const file = [
    '[Adblock Plus 2.0]',
    '! Title: x',
    '# note',
    '||evil.com^',
    '||worse.com^$third-party,important',
    '||open.com',
    '||*.below.com^',
    'bare.com',
    '@@||good.com^',
    '||good.com^',
    '||shop.com^',
    '@@||fine.shop.com^$document',
  ];
  const { list, report, refused } = await imported('adblock', file.join('\n'));
  expect(refused).toEqual([]);
  for (const host of ['evil.com', 'www.worse.com', 'open.com', 'x.below.com', 'bare.com']) expect(list.has(host), host).toBe(true);
  for (const host of ['good.com', 'shop.com', 'fine.shop.com', 'openworld.com']) expect(list.has(host), host).toBe(false);
  expect(report.exceptions).toEqual(['fine.shop.com', 'good.com']);
  expect(report.changed.map(({ line, why }) => `${line}: ${why}`)).toEqual([
    '5: stopped whole, not only inside of other sites',
    '6: taken for the whole name, not for the beginning of longer ones',
    '7: *. means the name and what lies below',
  ]);
});

test('importing a plain list accepts names in any spelling, with stars and comments', async () => {
  const { names, report } = await imported(
    'plain',
    'evil.com # why\n*.star.com\n.dot.com\nhttps://Page.com/\nbücher-betrug.com\n; note\n! note\n// note\n',
  );
  expect(names).toEqual(['evil.com', 'star.com', 'dot.com', 'page.com', 'xn--bcher-betrug-dlb.com']);
  expect(report.changed_count).toBe(4);
});

test('importing detects the format of each line in a list merged from several', async () => {
  const { names, refused } = await imported(
    'auto',
    '# hosts\n0.0.0.0 one.com\n! adblock\n||two.com^\n@@||three.com^\nexample.com##.x\nfour.com\nlocalhost-microsoft.com\n',
  );
  expect(names).toEqual(['one.com', 'two.com', 'four.com', 'localhost-microsoft.com']);
  expect(refused).toEqual(['6: hides a part of a page, and stops no site']);
});

test('importing refuses names that the operator excludes (--keep) and their parent domains, but not their subdomains', async () => {
  const { names, refused } = await imported(
    'plain',
    'kept.com\nparent.com\nbelow.kept.com\nother.com',
    '1,kept.com\nchild.parent.com\tsome words\n# no.com\n\nOTHER.COM.extra.net',
  );
  expect(names).toEqual(['below.kept.com', 'other.com']);
  expect(refused).toEqual([
    '1: it is, or stands above, a name to be kept (--keep)',
    '2: it is, or stands above, a name to be kept (--keep)',
  ]);
});

test('the import report contains names added and removed since the previous list', async () => {
  const previousList = buildSiteList(['a.com', 'b.com', 'c.com']);
  const { report } = await importList(['b.com\nd.com\nd.com\n'], { format: 'plain', keep: new Set(), before: previousList });
  expect(report).toMatchObject({ lines: 3, names: 2, new: 1, gone: 2 });
  await expect(importList(['x.com'], { format: 'plain', keep: new Set(), before: previousList.subarray(1) })).rejects.toThrow(
    /not a site list/,
  );
});

test('importing refuses a line of more than 4 kB alone and as a whole, however it is split into chunks', async () => {
  const longText = 'x'.repeat(5000);
  for (const size of [1, 100, 4096, 100_000]) {
    const text = `a.com\n${longText}.com\nb.com`;
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => Buffer.from(text.slice(at * size, (at + 1) * size)));
    const { names, refused } = await imported('plain', pieces);
    expect(names).toEqual(['a.com', 'b.com']);
    expect(refused).toEqual(['2: is longer than 4096 letters']);
  }
});

test('importing refuses a line longer than the longest JavaScript string, without buffering it', async () => {
  const piece = 'x'.repeat(2 ** 24);
  const { report } = await importList(
    Array.from({ length: 33 }, () => piece),
    { format: 'plain', keep: new Set() },
  );
  expect(report).toMatchObject({ lines: 1, names: 0, refused_count: 1 });
});

test('the import report lists at most a thousand refused lines and counts all of them', async () => {
  const { report } = await imported('plain', 'not a name\n'.repeat(1500));
  expect([report.refused.length, report.refused_count]).toEqual([1000, 1500]);
});

test('importing gives the same result however the text is split into chunks', async () => {
  const text = '\uFEFF0.0.0.0 bücher.com\r\n\r\n||two.com^\rthree.com # ä\n\nfour.com';
  const wholeResult = await imported('auto', text);
  expect(wholeResult.names).toEqual(['xn--bcher-kva.com', 'two.com', 'three.com', 'four.com']);
  const bytes = Buffer.from(text);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
      const cutOffsets = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const pieces = cutOffsets.slice(1).map((end, n) => bytes.subarray(cutOffsets[n], end));
      const { names, report } = await imported('auto', pieces);
      expect([names, report]).toEqual([wholeResult.names, wholeResult.report]);
    }),
  );
});

test.each([
  ['an object with a list, as MISP has it', '{"name": "Top", "list": ["kept.com", ".below.parent.com", 7, "no dot"], "type": "hostname"}'],
  ['a plain array', '["kept.com", "below.parent.com"]'],
  ['an object after a byte-order mark', '\uFEFF{"list": ["kept.com", "below.parent.com"]}'],
])('a keep list that is %s protects the names in it, and other names are blocked', async (_shape, keep) => {
  const { names } = await imported('plain', 'kept.com\nwww.kept.com\nparent.com\nother.com', keep);
  expect(names).toEqual(['other.com']);
});

test.each(['{"list": ["kept.com"', '{"sites": ["kept.com"]}', '[]', '{}', '[[["kept.com"]]]'])(
  'a keep list of damaged or foreign JSON protects nothing: %s',
  async (json) => {
    expect(await readKeep([json])).toEqual(new Set());
  },
);

test('importing reports names that are well known to be harmless, on a keep list or not', async () => {
  const harmless: string[] = [];
  await importList(['google.com\nwww.facebook.com\nkept.com\nevil.top\nmyshopify.com'], {
    ...{ format: 'plain', keep: await readKeep(['kept.com']) },
    harmless: (host) => harmless.push(host),
  });
  expect(harmless).toEqual(['google.com', 'www.facebook.com', 'kept.com', 'myshopify.com']);
});
