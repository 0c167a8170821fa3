import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FileToImport, type ImportReport, importLolrmm } from '../importers/lolrmm.ts';
import { Usage } from './command-line.ts';
import { catalogueOf, inWords, makeFolder, read, readText, write } from './files.ts';
import { importSites } from './import-sites.ts';
import { sitesIo } from './sites-io.ts';
import { type Command, Failure, type Outside } from './usage.ts';

const lolrmmUsage = 'import lolrmm FOLDER|FILE --out DIR [--version WORDS]';
const usage = `${lolrmmUsage}  |  import sites FILE --out FILE.list`;

export const importCommand: Command = {
  usage,
  help: `lolrmm: reads tools as LOLRMM publishes them (one YAML file each) and writes one draft a tool into DIR, with report.json: what is new,
    what the catalogue lacks of a family that it has, and what was refused and why. A draft is no file of the catalogue yet: it has no
    help, and a person decides whether the tool belongs there. WORDS go behind LOLRMM in its sources.
    sites: makes a list of sites of hosts files, Adblock lists and plain lists: --format hosts|adblock|plain|auto, --keep FILE,
    --before OLD.list, --names FILE, --report FILE.`,
  async run(args, outside) {
    const [kind, ...rest] = args;
    if (kind === 'lolrmm') return lolrmm(rest, outside);
    if (kind === 'sites') return importSites(rest, sitesIo(outside));
    throw new Usage(`Say what to import, lolrmm or sites. Type: npm run -s definitions -- ${usage}`);
  },
};

function lolrmm(args: string[], { out }: Outside): number {
  const { words, option } = read(args, lolrmmUsage, ['out', 'version']);
  const [from, ...more] = words;
  const folder = option('out');
  if (from === undefined || more.length > 0 || folder === undefined) {
    throw new Usage(`Name one folder or file, and the folder for the drafts. Type: npm run -s definitions -- ${lolrmmUsage}`);
  }
  const files = filesOf(from);
  if (files.length === 0) throw new Failure(`${from} has no file that ends in .yaml or .yml. Name LOLRMM's folder "yaml".`);
  const source = `LOLRMM ${option('version') ?? ''}`.trim();
  const { drafts, report } = importLolrmm(files, catalogueOf(undefined), source);
  makeFolder(folder);
  for (const draft of drafts) write(join(folder, `${draft.identifier}.json`), `${JSON.stringify(draft, null, 2)}\n`);
  write(join(folder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  out.write(summary(report, folder));
  return 0;
}

function filesOf(from: string): FileToImport[] {
  let names: string[];
  try {
    names = readdirSync(from)
      .filter((name) => /\.ya?ml$/.test(name))
      .sort();
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code !== 'ENOTDIR') throw inWords(from, reason);
    return [{ file: from, text: readText(from) }];
  }
  return names.map((name) => ({ file: name, text: readText(join(from, name)) }));
}

function summary(report: ImportReport, folder: string): string {
  const lines = [
    `${report.new.length} new, ${report.changed.length} with facts that the catalogue lacks, ${report.same.length} known already, ${report.refused.length} refused. Drafts and report.json are in ${folder}.`,
    ...report.new.map(({ identifier, name }) => `new: ${identifier} (${name})`),
    ...report.changed.flatMap(({ identifier, lacks }) => [`changed: ${identifier}`, ...lacks.map((fact) => `  + ${fact}`)]),
    ...report.refused.map(({ file, why }) => `refused: ${file}: ${why}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
