import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FileToImport, type ImportReport, importLolrmm } from '../importers/lolrmm.ts';
import { type Command, type CommandStreams, usageHint } from './command.ts';
import { Failure, Usage } from './command-line.ts';
import { catalogueOf, fileFailure, makeFolder, read, readText, write } from './files.ts';
import { importSites } from './import-sites.ts';

const lolrmmCommand = { name: 'import lolrmm', usage: 'FOLDER|FILE --out DIR [--version WORDS]' };

export const importCommand: Command = {
  name: 'import',
  usage: `lolrmm ${lolrmmCommand.usage}  |  sites FILE… --out FILE.list`,
  help: `lolrmm: reads tools as LOLRMM publishes them (one YAML file each) and writes one draft a tool into DIR, with report.json: what is new,
    what the catalogue lacks of a family that it has, and what was refused and why. A draft is no file of the catalogue yet: it has no
    help, and a person decides whether the tool belongs there. WORDS go behind LOLRMM in its sources.
    sites: makes a list of sites of hosts files, Adblock lists and plain lists: --format hosts|adblock|plain|auto, --keep FILE,
    --before OLD.list, --names FILE, --report FILE.`,
  async run(args, streams) {
    const [kind, ...rest] = args;
    if (kind === 'lolrmm') return lolrmm(rest, streams);
    if (kind === 'sites') return importSites(rest, streams);
    throw new Usage(`Say what to import, lolrmm or sites. ${usageHint(importCommand)}`);
  },
};

function lolrmm(args: string[], { out }: CommandStreams): number {
  const { words, option } = read(args, lolrmmCommand, ['out', 'version']);
  const [sourceFolder, ...extraWords] = words;
  const folder = option('out');
  if (sourceFolder === undefined || extraWords.length > 0 || folder === undefined) {
    throw new Usage(`Name one folder or file, and the folder for the drafts. ${usageHint(lolrmmCommand)}`);
  }
  const files = filesOf(sourceFolder);
  if (files.length === 0) throw new Failure(`${sourceFolder} has no file that ends in .yaml or .yml. Name LOLRMM's folder "yaml".`);
  const source = `LOLRMM ${option('version') ?? ''}`.trim();
  const { drafts, report } = importLolrmm(files, catalogueOf(undefined), source);
  makeFolder(folder);
  for (const draft of drafts) write(join(folder, `${draft.identifier}.json`), `${JSON.stringify(draft, null, 2)}\n`);
  write(join(folder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  out.write(summary(report, folder));
  return 0;
}

function filesOf(path: string): FileToImport[] {
  let names: string[];
  try {
    names = readdirSync(path)
      .filter((name) => /\.ya?ml$/.test(name))
      .sort();
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code !== 'ENOTDIR') throw fileFailure(path, reason);
    return [{ file: path, text: readText(path) }];
  }
  return names.map((name) => ({ file: name, text: readText(join(path, name)) }));
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
