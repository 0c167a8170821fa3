import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { root } from '../root.ts';
import { openTestPostgres } from '../test-postgres.ts';
import { filesBelow } from '../walk.ts';
import { draw, type Mutant, mutantsOf, mutated } from './mutants.ts';

/**
 * Would the tests notice? Mutants of everything that stores, decides or guards are drawn at random, and each is run against the tests of its slice.
 * `MUTANTS_SEED` (1), `MUTANTS_COUNT` (300) and `MUTANTS_AT_ONCE` (as many as there are processors) choose. `MUTANTS_FILES` takes only files whose path
 * has this in it. `MUTANTS_TRUST=yes` leaves out the run without a mutant, for whoever has just run the tests. `MUTANTS_FROM=40` leaves out the first 40
 * of the draw, which an earlier run has tried.
 */

interface Drawn {
  file: string;
  mutant: Mutant;
}

/** At least so many of a hundred are noticed. */
const aim = 85;
/** One that never ends was noticed. In milliseconds. */
const longest = 180_000;
const packages = ['server', 'agent', 'dashboard', 'definitions'];
const isOne = /(^|\/)(store|[a-z-]+-store|rules|guard|gates|gate)\.ts$/;

/**
 * The tests that answer for a file: of its project, below its folder and then those named here, a set that is run only when the set before it noticed
 * nothing. Null: it has none beside it, only journeys in a browser.
 */
function testsOf(file: string): { project: string; sets: string[][] } | null {
  const [project = '', ...rest] = file.split('/');
  const folder = dirname(rest.join('/'));
  const more: Record<string, string[]> = {
    'server/lib': ['testing/matrix', 'testing/guardian-matrix', 'features/accounts'],
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
    'agent/lock': ['journeys/pause', 'journeys/uninstall'],
    'agent/state': ['lock', 'journeys/uninstall', 'journeys/detections', 'journeys/offline', 'journeys/lost-answer', 'journeys/full-disk'],
  };
  const own = file.startsWith('server/lib') ? [] : filesBelow(`${project}/${folder}`, /\.test\.tsx?$/).length ? [`${folder}/`] : [];
  const beside = more[`${project}/${folder}`] ?? more[`${project}/${folder.split('/')[0]}`] ?? [];
  const sets = [own, beside].filter((tests) => tests.length);
  return sets.length ? { project, sets } : null;
}

export async function drill(log: (line: string) => void): Promise<string[]> {
  const seed = Number(process.env.MUTANTS_SEED ?? 1);
  const count = Number(process.env.MUTANTS_COUNT ?? 300);
  const atOnce = Number(process.env.MUTANTS_AT_ONCE ?? availableParallelism());
  const only = process.env.MUTANTS_FILES ?? '';
  const files = packages
    .flatMap((name) => filesBelow(name, isOne))
    .filter((file) => file.includes(only))
    .toSorted();
  const tested = files.filter((file) => testsOf(file));
  for (const file of files) if (!testsOf(file)) log(`${file} is left out: it is tested in the browser only`);
  const all = tested.flatMap((file) => mutantsOf(readFileSync(join(root, file), 'utf8')).map((mutant): Drawn => ({ file, mutant })));
  const drawn = draw(all, count, seed).slice(Number(process.env.MUTANTS_FROM ?? 0));
  log(`${drawn.length} of ${all.length} mutants of ${tested.length} files, seed ${seed}`);

  const postgres = await openTestPostgres();
  const env = { ...process.env, ...(typeof postgres === 'string' ? {} : { TEST_DATABASE_URL: postgres.url }) };
  const survivors: Drawn[] = [];
  /** For each source file the tests that noticed an earlier mutant of it: most likely they notice the next one too, and they are few. */
  const noticedBy = new Map<string, Set<string>>();
  let run = 0;
  const worker = async () => {
    const copy = await copyOfTree();
    try {
      for (let next = drawn.shift(); next; next = drawn.shift()) {
        const original = await readFile(join(copy, next.file), 'utf8');
        await writeFile(join(copy, next.file), mutated(original, next.mutant));
        const first = noticedBy.get(next.file) ?? new Set();
        const noticed = await firstRed(copy, next.file, [...first], env);
        await writeFile(join(copy, next.file), original);
        run += 1;
        if (noticed) noticedBy.set(next.file, new Set([...noticed, ...first].slice(0, 4)));
        else survivors.push(next);
        log(`${run} ${noticed ? 'noticed ' : 'SURVIVED'} ${next.file}:${next.mutant.line} ${next.mutant.what}`);
      }
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  };
  try {
    // Tests that are red without a mutant would notice all of them.
    const broken = process.env.MUTANTS_TRUST === 'yes' ? [] : await red(new Set(drawn.map(({ file }) => file)), env);
    if (broken.length) return broken;
    await Promise.all(Array.from({ length: atOnce }, worker));
  } finally {
    if (typeof postgres !== 'string') await postgres.stop();
  }
  const score = (100 * (run - survivors.length)) / run;
  log(`${run - survivors.length} of ${run} mutants were noticed: ${score.toFixed(1)} %`);
  for (const { file, mutant } of survivors) log(`survived: ${file}:${mutant.line} ${mutant.what}`);
  return score >= aim ? [] : [`${score.toFixed(1)} % of the mutants were noticed; the aim is ${aim} %`];
}

/** Whose tests fail as it is. */
async function red(files: Set<string>, env: NodeJS.ProcessEnv): Promise<string[]> {
  const copy = await copyOfTree();
  const broken: string[] = [];
  for (const file of new Map([...files].map((one) => [JSON.stringify(testsOf(one)), one])).values())
    if (await firstRed(copy, file, [], env)) broken.push(`the tests of ${file} fail without a mutant`);
  await rm(copy, { recursive: true, force: true });
  return broken;
}

/** The sources as they stand now, in a folder of their own that shares the packages of this one. */
async function copyOfTree(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'porchlight-mutants-'));
  const left = new Set(['node_modules', '.git', '.cache', 'data', 'test-results']);
  for (const name of readdirSync(root))
    if (!left.has(name)) await cp(join(root, name), join(copy, name), { recursive: true, filter: (path) => basename(path) !== 'dist' });
  await mkdir(join(copy, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@porchlight') await symlink(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  await cp(join(root, 'node_modules', '@porchlight'), join(copy, 'node_modules', '@porchlight'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  return copy;
}

/** Runs the tests that answer for a file, `first` before the others, until one fails: the test files that failed, empty where it ran too long. Null: all passed. */
async function firstRed(copy: string, file: string, first: string[], env: NodeJS.ProcessEnv): Promise<string[] | null> {
  const found = testsOf(file);
  if (!found) throw new Error(`${file} has no tests`);
  for (const tests of first.length ? [first, ...found.sets] : found.sets) {
    const red = await redOf(copy, found.project, tests, env);
    if (red) return red;
  }
  return null;
}

async function redOf(copy: string, project: string, tests: string[], env: NodeJS.ProcessEnv): Promise<string[] | null> {
  const report = join(copy, 'mutant.json');
  await rm(report, { force: true });
  const output = ['--reporter=json', `--outputFile.json=${report}`];
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', ...output, '--project', project, ...tests];
  const code = await new Promise<number | null>((resolve) => {
    const child = spawn(process.execPath, args, { cwd: copy, env, stdio: 'ignore', timeout: longest, killSignal: 'SIGKILL' });
    child.on('close', resolve);
  });
  if (code === 0) return null;
  const { testResults } = JSON.parse(await readFile(report, 'utf8').catch(() => '{"testResults":[]}')) as {
    testResults: { name: string; status: string }[];
  };
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(join(copy, project), name));
}
