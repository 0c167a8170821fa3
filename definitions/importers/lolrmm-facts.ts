import { commonFolders } from '../check-folders.ts';
import { commonProducts, forbiddenNames, sharedHosts, sharedServices, sharedSigners } from '../check-lists.ts';
import { fold, foldMaker, foldName, foldOriginal } from '../fold.ts';
import { foldPath } from '../fold-path.ts';
import type { Definition, Os } from '../format.ts';
import { nameKey } from '../index-marks.ts';
import { shippedNeverBlock } from '../shipped.ts';
import { canonicalHost } from '../sites/host.ts';
import { whyNeverBlocked } from '../sites/public-suffix.ts';
import type { LolrmmTool } from './lolrmm-file.ts';

export type DraftFacts = Pick<Definition, 'programs' | 'services' | 'domains'>;

/** Sorts a tool's values by the strength that the check allows; `left_out` has unusable values with reasons. */
export function factsOf(tool: LolrmmTool): { facts: DraftFacts; left_out: string[] } {
  const left_out: string[] = [];
  const leaveOut = (value: string, reason: string) => void left_out.push(`${value}: ${reason}`);
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
    libraries: [],
    paths: [],
  };
  const addName = (os: Os, name: string) => {
    if (/[*?<>]/.test(name)) return leaveOut(name, 'a whole file name has no wildcard');
    const list = forbiddenNames.has(foldName(name)) || foldName(name).length < 4 ? programs.generic_names : programs.names;
    if (!list.some((existing) => nameKey(existing.os, existing.name) === nameKey(os, name))) list.push({ os, name });
  };
  for (const path of tool.paths) {
    const { os, folder, file } = locationOf(path);
    if (file) addName(os, file);
    if (!folder) continue;
    if (/[*?<>%]|\(random\)/i.test(folder)) leaveOut(path, 'the folder has a wildcard or a variable');
    else if (commonFolders.has(foldPath(folder))) leaveOut(path, 'others lie in this folder too');
    else if (!programs.paths.some((existing) => existing.os === os && foldPath(existing.path) === foldPath(folder)))
      programs.paths.push({ os, path: folder });
  }
  for (const { Filename, OriginalFileName, Product } of tool.pe) {
    if (Filename?.trim()) addName('windows', Filename.trim());
    if (OriginalFileName?.trim()) {
      if (forbiddenNames.has(foldOriginal(OriginalFileName))) leaveOut(OriginalFileName, 'harmless programs have this original name');
      else addTo(programs.original_names, OriginalFileName.trim(), foldOriginal);
    }
    if (Product?.trim()) {
      if (commonProducts.has(fold(Product)) || forbiddenNames.has(fold(Product))) leaveOut(Product, 'harmless programs are called so too');
      else addTo(programs.products, Product.trim(), fold);
    }
  }
  for (const signer of tool.signers)
    addTo(sharedSigners.has(foldMaker(signer)) ? programs.broad_signers : programs.signers, signer, foldMaker);
  for (const company of tool.companies) addTo(programs.companies, company, foldMaker);
  const services: Definition['services'] = [];
  for (const name of tool.services) {
    if (/[\\/*?]/.test(name) || sharedServices.has(fold(name))) leaveOut(name, 'is not the name of a service that is its own');
    else if (!services.some((existing) => fold(existing.name) === fold(name))) services.push({ os: 'windows', name });
  }
  return { facts: { programs, services, domains: domainsOf(tool.hosts, leaveOut) }, left_out };
}

function addTo(list: string[], value: string, foldValue: (text: string) => string) {
  if (!list.some((existing) => foldValue(existing) === foldValue(value))) list.push(value);
}

function domainsOf(hosts: string[], leaveOut: (value: string, reason: string) => void): string[] {
  const foundHosts = new Set<string>();
  for (const text of hosts) {
    const read = canonicalHost(text.replace(/^\*\./, ''));
    if (/[*[\]{}()|\\]/.test(text.replace(/^\*\./, ''))) leaveOut(text, 'a host has no pattern in it');
    else if ('wrong' in read) leaveOut(text, read.wrong);
    else if (read.kind === 'address' || !read.host.includes('.')) leaveOut(text, 'is not the name of a host');
    else {
      const reason = whyNeverBlocked(read.host, shippedNeverBlock) ?? (sharedHosts.has(read.host) ? 'others use it too' : null);
      if (reason) leaveOut(text, reason);
      else foundHosts.add(read.host);
    }
  }
  return [...foundHosts].filter((host) => ![...foundHosts].some((parentHost) => host.endsWith(`.${parentHost}`))).sort();
}

const variables: [RegExp, string][] = [
  [/^%programfiles(\(x86\))?%|^%programw6432%|^program files \(x86\)/i, 'Program Files'],
  [/^%programdata%/i, 'ProgramData'],
  [/^%localappdata%/i, 'AppData/Local'],
  [/^%appdata%/i, 'AppData/Roaming'],
  [/^%(windir|systemroot)%/i, 'Windows'],
  [/^(users|home)\/[^/]+\//i, ''],
];

/** Splits `C:\Program Files (x86)\AnyDesk\AnyDesk.exe` into system, `Program Files/AnyDesk` and `AnyDesk.exe`. */
function locationOf(path: string): { os: Os; folder: string; file: string } {
  const unix = /^[~/]/.test(path);
  let barePath = path
    .replaceAll('\\', '/')
    .replace(/^[a-z]:\//i, '')
    .replace(/^(~|\*)?\/+/, '');
  for (const [name, folder] of variables) barePath = barePath.replace(name, folder);
  const app = /^(.*?\.app)(\/|$)/.exec(barePath)?.[1];
  const os: Os = app || /^library\//i.test(barePath) ? 'macos' : unix ? 'linux' : 'windows';
  if (app) return { os, folder: app, file: app.slice(app.lastIndexOf('/') + 1).replace(/\.app$/, '') };
  const lastSlash = barePath.lastIndexOf('/');
  const [folder, fileName] = [lastSlash < 0 ? '' : barePath.slice(0, lastSlash), barePath.slice(lastSlash + 1)];
  if (fileName === '*' || fileName === '') return { os, folder, file: '' };
  if (/\.(exe|com|scr)$/i.test(fileName)) return { os, folder, file: fileName };
  // A path without extension is a folder on Windows; elsewhere it could be a program.
  return { os, folder: fileName.includes('.') || os !== 'windows' ? '' : barePath, file: '' };
}
