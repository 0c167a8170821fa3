import { commonFolders } from '../check-folders.ts';
import { commonProducts, forbiddenNames, sharedHosts, sharedServices, sharedSigners } from '../check-lists.ts';
import { fold, foldMaker, foldName, foldOriginal } from '../fold.ts';
import { foldPath } from '../fold-path.ts';
import type { Definition, Os } from '../format.ts';
import { nameKey } from '../index-marks.ts';
import { canonicalHost } from '../sites/host.ts';
import { whyNeverBlocked } from '../sites/public-suffix.ts';
import type { LolrmmTool } from './lolrmm-file.ts';

export type DraftFacts = Pick<Definition, 'programs' | 'services' | 'domains'>;

/** The facts of a tool in our fields, each kind by the strength that the lists allow it; and what was left out, with the reason. */
export function factsOf(tool: LolrmmTool): { facts: DraftFacts; left_out: string[] } {
  const left_out: string[] = [];
  const leave = (value: string, why: string) => void left_out.push(`${value}: ${why}`);
  const programs: Definition['programs'] = {
    names: [],
    generic_names: [],
    original_names: [],
    products: [],
    companies: [],
    signers: [],
    broad_signers: [],
    team_ids: [],
    bundle_ids: [],
    sha256: [],
    paths: [],
  };
  const addName = (os: Os, name: string) => {
    if (/[*?<>]/.test(name)) return leave(name, 'a whole file name has no wildcard');
    const list = forbiddenNames.has(foldName(name)) || foldName(name).length < 4 ? programs.generic_names : programs.names;
    if (!list.some((known) => nameKey(known.os, known.name) === nameKey(os, name))) list.push({ os, name });
  };
  for (const path of tool.paths) {
    const { os, folder, file } = placeOf(path);
    if (file) addName(os, file);
    if (!folder) continue;
    if (/[*?<>%]|\(random\)/i.test(folder)) leave(path, 'the folder has a wildcard or a variable');
    else if (commonFolders.has(foldPath(folder))) leave(path, 'others lie in this folder too');
    else if (!programs.paths.some((known) => known.os === os && foldPath(known.path) === foldPath(folder)))
      programs.paths.push({ os, path: folder });
  }
  for (const { Filename, OriginalFileName, Product } of tool.pe) {
    if (Filename?.trim()) addName('windows', Filename.trim());
    if (OriginalFileName?.trim()) {
      if (forbiddenNames.has(foldOriginal(OriginalFileName))) leave(OriginalFileName, 'harmless programs have this original name');
      else addTo(programs.original_names, OriginalFileName.trim(), foldOriginal);
    }
    if (Product?.trim()) {
      if (commonProducts.has(fold(Product)) || forbiddenNames.has(fold(Product))) leave(Product, 'harmless programs are called so too');
      else addTo(programs.products, Product.trim(), fold);
    }
  }
  for (const signer of tool.signers)
    addTo(sharedSigners.has(foldMaker(signer)) ? programs.broad_signers : programs.signers, signer, foldMaker);
  for (const company of tool.companies) addTo(programs.companies, company, foldMaker);
  const services: Definition['services'] = [];
  for (const name of tool.services) {
    if (/[\\/*?]/.test(name) || sharedServices.has(fold(name))) leave(name, 'is not the name of a service that is its own');
    else if (!services.some((known) => fold(known.name) === fold(name))) services.push({ os: 'windows', name });
  }
  return { facts: { programs, services, domains: domainsOf(tool.hosts, leave) }, left_out };
}

function addTo(list: string[], value: string, folded: (text: string) => string) {
  if (!list.some((known) => folded(known) === folded(value))) list.push(value);
}

/** Hosts without those below another one of the list. */
function domainsOf(hosts: string[], leave: (value: string, why: string) => void): string[] {
  const found = new Set<string>();
  for (const text of hosts) {
    const read = canonicalHost(text.replace(/^\*\./, ''));
    if (/[*[\]{}()|\\]/.test(text.replace(/^\*\./, ''))) leave(text, 'a host has no pattern in it');
    else if ('wrong' in read) leave(text, read.wrong);
    else if (read.kind === 'address' || !read.host.includes('.')) leave(text, 'is not the name of a host');
    else {
      const why = whyNeverBlocked(read.host) ?? (sharedHosts.has(read.host) ? 'others use it too' : null);
      if (why) leave(text, why);
      else found.add(read.host);
    }
  }
  return [...found].filter((host) => ![...found].some((above) => host.endsWith(`.${above}`))).sort();
}

const variables: [RegExp, string][] = [
  [/^%programfiles(\(x86\))?%|^%programw6432%|^program files \(x86\)/i, 'Program Files'],
  [/^%programdata%/i, 'ProgramData'],
  [/^%localappdata%/i, 'AppData/Local'],
  [/^%appdata%/i, 'AppData/Roaming'],
  [/^%(windir|systemroot)%/i, 'Windows'],
  [/^(users|home)\/[^/]+\//i, ''],
];

/** `C:\Program Files (x86)\AnyDesk\AnyDesk.exe` as its system, `Program Files/AnyDesk` and `AnyDesk.exe`. */
function placeOf(path: string): { os: Os; folder: string; file: string } {
  const unix = /^[~/]/.test(path);
  let bare = path
    .replaceAll('\\', '/')
    .replace(/^[a-z]:\//i, '')
    .replace(/^(~|\*)?\/+/, '');
  for (const [name, folder] of variables) bare = bare.replace(name, folder);
  const app = /^(.*?\.app)(\/|$)/.exec(bare)?.[1];
  const os: Os = app || /^library\//i.test(bare) ? 'macos' : unix ? 'linux' : 'windows';
  if (app) return { os, folder: app, file: app.slice(app.lastIndexOf('/') + 1).replace(/\.app$/, '') };
  const cut = bare.lastIndexOf('/');
  const [folder, last] = [cut < 0 ? '' : bare.slice(0, cut), bare.slice(cut + 1)];
  if (last === '*' || last === '') return { os, folder, file: '' };
  if (/\.(exe|com|scr)$/i.test(last)) return { os, folder, file: last };
  // What has no ending is the folder itself on Windows; elsewhere nothing tells it from a program.
  return { os, folder: last.includes('.') || os !== 'windows' ? '' : bare, file: '' };
}
