import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from './root.ts';

/** The relative links and pictures of a page that lead nowhere, with what is wrong; empty if all lead somewhere. */
export function brokenLinks(page: string, readPage = (file: string) => readFileSync(join(root, file), 'utf8')): string[] {
  return linksIn(readPage(page)).flatMap((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : normalize(join(dirname(page), decodeURI(path)));
    if (target.startsWith('..') || !existsSync(join(root, target))) return [`${page}: ${link} leads to no file`];
    if (anchor === undefined) return [];
    if (statSync(join(root, target)).isDirectory() || !target.endsWith('.md'))
      return [`${page}: ${link} has an anchor, and its target is no page`];
    return anchorsIn(readPage(target)).has(anchor) ? [] : [`${page}: ${link} leads to no heading`];
  });
}

/** The targets of links and pictures without those that begin with a protocol. */
export function linksIn(text: string): string[] {
  const targets = [...withoutCode(text).matchAll(/\]\(<?([^()\s>]+)>?(?:\s+"[^"]*")?\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => !/^[a-z][a-z\d+.-]*:/i.test(target));
}

/** What `#…` can name, by the rules of GitHub: lower case, no punctuation, hyphens for spaces, and a number for a repeated heading. */
export function anchorsIn(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Code blocks and code in lines contain brackets that are no links. */
const withoutCode = (text: string) => text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
