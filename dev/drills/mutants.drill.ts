import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { copyOfTree } from '../copy-of-tree.ts';
import { root } from '../root.ts';
import { openTestPostgres } from '../test-postgres.ts';
import { filesBelow } from '../walk.ts';
import { draw, type Mutant, mutantsOf, mutated } from './mutants.ts';

export const minutes = 180;

/**
 * Mutation testing of stores, rules and guards: random mutants, each run against the tests of its slice. Options: `MUTANTS_SEED` (1),
 * `MUTANTS_COUNT` (300), `MUTANTS_AT_ONCE` (number of processors), `MUTANTS_FILES` (part of the path). `MUTANTS_TRUST=yes` skips the run
 * without a mutant, `MUTANTS_FROM=40` the first 40 mutants, tested earlier. `MUTANTS_SECONDS` (180) limits each run of tests: a mutant that
 * exceeds it counts as noticed, so that on a busy computer the limit must be higher.
 */

interface Drawn {
  file: string;
  mutant: Mutant;
}

const minPercent = 85;
const timeoutMs = 1000 * Number(process.env.MUTANTS_SECONDS ?? 180);
const packages = ['server', 'agent', 'dashboard', 'definitions'];
const mutatedFiles = /(^|\/)(store|[a-z-]+-store|rules|guard|gates|gate)\.ts$/;

/** The tests of a file in sets, run in turn until a set fails. Null for files with browser tests only. */
function testsOf(file: string): { project: string; sets: string[][] } | null {
  const [project = '', ...pathRest] = file.split('/');
  const folder = dirname(pathRest.join('/'));
  const extraTests: Record<string, string[]> = {
    'server/http': ['testing/matrix', 'testing/guardian-matrix', 'features/accounts'],
    'server/features': ['testing/neighbours', 'testing/strangers'],
    'server/features/devices': ['testing/neighbours', 'testing/strangers', 'features/agents', 'features/activity-log'],
    'server/features/guardians': [
      'testing/neighbours',
      'testing/strangers',
      'testing/guardian-matrix',
      'notifications',
      'features/detections',
    ],
    'server/features/activity-log': ['testing/neighbours', 'testing/weakening'],
    'server/features/support': ['cli/command'],
    'server/features/subscriptions': ['testing/neighbours', 'testing/relay', 'cli'],
    'agent/lock': ['journeys/pause', 'journeys/uninstall'],
    'agent/state': [
      'lock',
      'journeys/removed-device',
      'journeys/uninstall',
      'journeys/detections',
      'journeys/offline',
      'journeys/lost-answer',
      'journeys/full-disk',
    ],
  };
  const ownTests = file.startsWith('server/http') ? [] : filesBelow(`${project}/${folder}`, /\.test\.tsx?$/).length ? [`${folder}/`] : [];
  const relatedTests = extraTests[`${project}/${folder}`] ?? extraTests[`${project}/${folder.split('/')[0]}`] ?? [];
  const sets = [ownTests, relatedTests].filter((tests) => tests.length);
  return sets.length ? { project, sets } : null;
}

export async function drill(log: (line: string) => void): Promise<string[]> {
  const seed = Number(process.env.MUTANTS_SEED ?? 1);
  const count = Number(process.env.MUTANTS_COUNT ?? 300);
  const atOnce = Number(process.env.MUTANTS_AT_ONCE ?? availableParallelism());
  const fileFilter = process.env.MUTANTS_FILES ?? '';
  const files = packages
    .flatMap((name) => filesBelow(name, mutatedFiles))
    .filter((file) => file.includes(fileFilter))
    .toSorted();
  const testedFiles = files.filter((file) => testsOf(file));
  for (const file of files) if (!testsOf(file)) log(`${file} is left out: it is tested in the browser only`);
  const allMutants = testedFiles.flatMap((file) =>
    mutantsOf(readFileSync(join(root, file), 'utf8')).map((mutant): Drawn => ({ file, mutant })),
  );
  const drawnMutants = draw(allMutants, count, seed).slice(Number(process.env.MUTANTS_FROM ?? 0));
  log(`${drawnMutants.length} of ${allMutants.length} mutants of ${testedFiles.length} files, seed ${seed}`);

  const postgres = await openTestPostgres();
  const env = { ...process.env, ...(typeof postgres === 'string' ? {} : { TEST_DATABASE_URL: postgres.url }) };
  const undetected: Drawn[] = [];
  /** Tests that detected an earlier mutant of a file run first. */
  const noticedBy = new Map<string, Set<string>>();
  let run = 0;
  /** Those whose tests did not end within the limit. */
  let endless = 0;
  const worker = async () => {
    const copyFolder = await copyOfTree();
    try {
      for (let mutantToRun = drawnMutants.shift(); mutantToRun; mutantToRun = drawnMutants.shift()) {
        const originalSource = await readFile(join(copyFolder, mutantToRun.file), 'utf8');
        await writeFile(join(copyFolder, mutantToRun.file), mutated(originalSource, mutantToRun.mutant));
        const likelyTests = noticedBy.get(mutantToRun.file) ?? new Set();
        const failedTests = await firstFailure(copyFolder, mutantToRun.file, [...likelyTests], env);
        await writeFile(join(copyFolder, mutantToRun.file), originalSource);
        run += 1;
        if (failedTests) noticedBy.set(mutantToRun.file, new Set([...failedTests, ...likelyTests].slice(0, 4)));
        else undetected.push(mutantToRun);
        if (failedTests?.length === 0) endless += 1;
        log(
          `${run} ${!failedTests ? 'SURVIVED' : failedTests.length ? 'noticed ' : 'endless '} ${mutantToRun.file}:${mutantToRun.mutant.line} ${mutantToRun.mutant.what}`,
        );
      }
    } finally {
      await rm(copyFolder, { recursive: true, force: true });
    }
  };
  try {
    const failingTests = process.env.MUTANTS_TRUST === 'yes' ? [] : await failingFiles(new Set(drawnMutants.map(({ file }) => file)), env);
    if (failingTests.length) return failingTests;
    await Promise.all(Array.from({ length: atOnce }, worker));
  } finally {
    if (typeof postgres !== 'string') await postgres.stop();
  }
  const score = (100 * (run - undetected.length)) / run;
  log(`${run - undetected.length} of ${run} mutants were noticed: ${score.toFixed(1)} %, ${endless} of them by the time limit`);
  for (const { file, mutant } of undetected) log(`survived: ${file}:${mutant.line} ${mutant.what}`);
  return score >= minPercent ? [] : [`${score.toFixed(1)} % of the mutants were noticed; the aim is ${minPercent} %`];
}

async function failingFiles(files: Set<string>, env: NodeJS.ProcessEnv): Promise<string[]> {
  const copyFolder = await copyOfTree();
  const failingTests: string[] = [];
  for (const file of new Map([...files].map((one) => [JSON.stringify(testsOf(one)), one])).values())
    if (await firstFailure(copyFolder, file, [], env)) failingTests.push(`the tests of ${file} fail without a mutant`);
  await rm(copyFolder, { recursive: true, force: true });
  return failingTests;
}

/** Runs tests on a mutant; returns the first failed test files, empty after a timeout, null when all passed. */
async function firstFailure(copyFolder: string, file: string, likelyTests: string[], env: NodeJS.ProcessEnv): Promise<string[] | null> {
  const fileTests = testsOf(file);
  if (!fileTests) throw new Error(`${file} has no tests`);
  for (const tests of likelyTests.length ? [likelyTests, ...fileTests.sets] : fileTests.sets) {
    const failingFiles = await failuresOf(copyFolder, fileTests.project, tests, env);
    if (failingFiles) return failingFiles;
  }
  return null;
}

async function failuresOf(copyFolder: string, project: string, tests: string[], env: NodeJS.ProcessEnv): Promise<string[] | null> {
  const report = join(copyFolder, 'mutant.json');
  await rm(report, { force: true });
  const output = ['--reporter=json', `--outputFile.json=${report}`];
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', ...output, '--project', project, ...tests];
  const code = await new Promise<number | null>((resolve) => {
    const child = spawn(process.execPath, args, { cwd: copyFolder, env, stdio: 'ignore', timeout: timeoutMs, killSignal: 'SIGKILL' });
    child.on('close', resolve);
  });
  if (code === 0) return null;
  const { testResults } = JSON.parse(await readFile(report, 'utf8').catch(() => '{"testResults":[]}')) as {
    testResults: { name: string; status: string }[];
  };
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(join(copyFolder, project), name));
}
