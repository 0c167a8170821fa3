import { posix } from 'node:path';
import { importsOf } from './imports.ts';

/** The workspaces that are checked. */
export const checkedWorkspaces = ['agent', 'bench', 'contract', 'dashboard', 'definitions', 'dev', 'packaging', 'server', 'simulators'];

/** A file of fewer lines that one neighbour imports belongs into that neighbour, unless it grows beyond the most lines of a file. */
const linesMin = 25;
const linesMax = 300;

/** Small files with a reason of their own. */
const reasons: [files: RegExp, why: string][] = [
  [/^dashboard\/features\/.*\/(messages|queries)\.ts$/, 'the words and the calls of a page have the same place everywhere'],
  [/^dashboard\/features\/guardians\/guardian-page\/ended\.tsx$/, 'it is loaded with its neighbours when it is needed'],
  [/^dashboard\/service-worker-build\.ts$/, 'the build of the pages and of the service worker are two things'],
  [/^definitions\/sites\/rented-hosts\.ts$/, 'it is data'],
  [/^server\/notifications\/render\/\w+\.ts$/, 'each kind of message has its file'],
];

/** Tests and what they share are not checked, but count as importers, as does everything else. Migrations have an order of their own. */
const isChecked = (file: string) =>
  /\.tsx?$/.test(file) &&
  !reasons.some(([files]) => files.test(file)) &&
  !/\.(test|e2e|bench|drill|config|d)\.tsx?$|(^|\/)(testing|migrations|e2e)\//.test(file);

/** A program is started by its path, and exports nothing. */
const isProgram = (source: string) => !/^export /m.test(source);

const linesOf = (source: string) => source.split('\n').length - 1;

/** A sentence for each file of `workspaces` that is too small to be one. `files`: of the whole repository. */
export function tinyFiles(files: string[], workspaces: string[], read: (file: string) => string): string[] {
  const sources = new Map(files.map((file) => [file, read(file)]));
  const importers = new Map<string, { by: string; lazy: boolean }[]>();
  for (const [file, source] of sources)
    for (const { to, lazy } of importsOf(file, source)) importers.set(to, [...(importers.get(to) ?? []), { by: file, lazy }]);
  return [...sources].flatMap(([file, source]) => {
    const [lines, found] = [linesOf(source), importers.get(file) ?? []];
    const by = found[0]?.by ?? '';
    const isAlone = new Set(found.map((one) => one.by)).size === 1 && posix.dirname(by) === posix.dirname(file);
    const isTiny = isChecked(file) && workspaces.includes(file.split('/')[0] ?? '') && lines < linesMin;
    if (!isTiny || !isAlone || isProgram(source) || found.some(({ lazy }) => lazy)) return [];
    return lines + linesOf(sources.get(by) ?? '') > linesMax
      ? []
      : [`${file} has ${lines} lines, and only ${by} imports it: move it there.`];
  });
}
