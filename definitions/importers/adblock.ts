import { type LineItem, type LineReader, readName } from './list-line.ts';

/** Options that change nothing for a computer that stops whole sites. */
const harmless = new Set(['important', 'all', 'document', 'doc', 'popup', 'network']);

/** They stop a site only inside of others. A site of scammers is stopped whole, so this widens the rule and is told as a change. */
const inside = new Set(['third-party', '3p']);

/** Parts of a page to hide, or to change by script: `example.com##.ad`, `#@#`, `#?#`, `#$#`, `#%#`, `$$`. */
const cosmetic = /#[@?$%]*#|\$@?\$/;

/** Does a line begin or end as those of an Adblock list do? */
export const looksLikeAdblock = (text: string): boolean =>
  /^(?:!|\[Adblock|\|\||@@|\|https?:)|^[^#\s]*(?:#[@?$%]*#|\$@?\$)|\^/i.test(text.trim());

function optionsOf(text: string): { wider: boolean } | { why: string } {
  let wider = false;
  for (const option of text.toLowerCase().split(',')) {
    if (harmless.has(option)) continue;
    if (inside.has(option)) wider = true;
    else return { why: `has the option ${option.slice(0, 40)}, which stops less than a whole site, or something else` };
  }
  return { wider };
}

/** A line of an Adblock list. Only rules about whole sites are taken: `||host^`, and `@@||host^` as an exception. */
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
