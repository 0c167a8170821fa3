import { type LineItem, type LineReader, readName } from './list-line.ts';

/** Adblock options that make no difference when whole sites are blocked. */
const ignoredOptions = new Set(['important', 'all', 'document', 'doc', 'popup', 'network']);

/** Adblock options that block a site only when embedded. A scam site is blocked whole, which the report lists as a change. */
const embeddedOptions = new Set(['third-party', '3p']);

/** Rules that hide or script parts of a page: `example.com##.ad`, `#@#`, `#?#`, `#$#`, `#%#`, `$$`. */
const cosmetic = /#[@?$%]*#|\$@?\$/;

export const looksLikeAdblock = (text: string): boolean =>
  /^(?:!|\[Adblock|\|\||@@|\|https?:)|^[^#\s]*(?:#[@?$%]*#|\$@?\$)|\^/i.test(text.trim());

function optionsOf(text: string): { wider: boolean } | { why: string } {
  let wider = false;
  for (const option of text.toLowerCase().split(',')) {
    if (ignoredOptions.has(option)) continue;
    if (embeddedOptions.has(option)) wider = true;
    else return { why: `has the option ${option.slice(0, 40)}, which stops less than a whole site, or something else` };
  }
  return { wider };
}

/** Only rules about whole sites are used: `||host^`, and `@@||host^` as an exception. */
export const readAdblockLine: LineReader = (text) => {
  const line = text.trim();
  if (line === '' || line.startsWith('!') || /^\[.*\]$/.test(line) || /^#(?:\s|$)/.test(line)) return [];
  if (cosmetic.test(line)) return [{ why: 'hides a part of a page, and stops no site' }];
  if (/^(?:@@)?\//.test(line)) return [{ why: 'is a regular expression' }];
  const exception = line.startsWith('@@');
  const [rule = '', options] = line.slice(exception ? 2 : 0).split(/\$(.*)/, 2);
  const read = options === undefined ? { wider: false } : optionsOf(options);
  if ('why' in read) return [read];
  const item = readRule(rule);
  if ('why' in item) return [item];
  if (exception) return [{ host: item.host, exception: true }];
  return [read.wider ? { host: item.host, changed: 'stopped whole, not only inside of other sites' } : item];
};

function readRule(rule: string): LineItem {
  if (!rule.startsWith('||')) return rule.startsWith('|') || /[*^]/.test(rule) ? { why: 'means a part of an address' } : readName(rule);
  const [, name = '', end = ''] = /^\|\|(.*?)(\^\|?|\^\*|\|)?$/.exec(rule) ?? [];
  if (name.includes('^')) return { why: 'means a part of an address' };
  const item = readName(name);
  return end === '' && 'host' in item
    ? { host: item.host, changed: 'taken for the whole name, not for the beginning of longer ones' }
    : item;
}
