import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

/** Nothing here runs a workflow, so these read the files as GitHub would. */

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, '.github', 'workflows');
const files = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

interface Job {
  'runs-on': string;
  'timeout-minutes'?: number;
  permissions?: Record<string, string>;
  strategy?: { matrix: { runner: string[] } };
  steps: { uses?: string; run?: string; with?: Record<string, unknown> }[];
}
interface Workflow {
  on: Record<string, unknown> | string | string[];
  permissions: Record<string, string>;
  concurrency: { group: string };
  jobs: Record<string, Job>;
}

/** Labels of a whole version: `latest` changes under a commit that was green. */
const runners = ['ubuntu-24.04', 'ubuntu-24.04-arm', 'macos-15', 'macos-15-intel', 'windows-2025'];

/** What a command of npm runs: the script, and the paths behind `npm test --`, without its options. */
function commandsOf(run: string): { script: string; paths: string[] }[] {
  return [...run.matchAll(/\bnpm (?:run (\S+)|(test|start))((?: -- [^\n&|>]+)?)/g)].map(([, script, short, rest = '']) => ({
    script: script ?? short ?? '',
    paths:
      short === 'test'
        ? rest
            .replace(' -- ', '')
            .split(' ')
            .filter((word) => word && !word.startsWith('--'))
        : [],
  }));
}

test('the commands of a step are read with their paths', () => {
  expect(commandsOf('npm run check\nnpm test -- server agent/lock\nnpm test -- --all\nnpm start > log &\n')).toEqual([
    { script: 'check', paths: [] },
    { script: 'test', paths: ['server', 'agent/lock'] },
    { script: 'test', paths: [] },
    { script: 'start', paths: [] },
  ]);
});

describe.each(files)('%s', (file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  const workflow = parse(text, { strict: true, uniqueKeys: true }) as Workflow;
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);

  test('pins every action to a whole commit, with its version in a comment', () => {
    const used = [...text.matchAll(/\buses: (.+)$/gm)].map(([, action = '']) => action);
    expect(used.length).toBe(steps.filter(({ uses }) => uses).length);
    for (const action of used) expect(action).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('may only read the repository, and has no secret and no event by which a stranger’s commit would get more', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(jobs.map(({ permissions }) => permissions).filter(Boolean)).toEqual([]);
    expect(text).not.toMatch(/pull_request_target|workflow_run|secrets\.|GITHUB_TOKEN|github\.token/);
    for (const { uses, with: given } of steps)
      if (uses?.startsWith('actions/checkout@')) expect(given?.['persist-credentials']).toBe(false);
  });

  test('puts nothing from an event into a script, downloads no program, and installs packages only by the lock file', () => {
    for (const { run = '' } of steps)
      expect(run).not.toMatch(/\$\{\{|curl[^\n]*\|\s*(?:ba)?sh|wget|npx|npm (?:i|install|ci)\b|brew |choco |apt-get/);
  });

  test('runs only commands of package.json, and tests that exist', () => {
    const commands = steps.flatMap(({ run = '' }) => commandsOf(run));
    expect(commands.length).toBeGreaterThan(0);
    for (const { script, paths } of commands) {
      expect(Object.keys(scripts)).toContain(script);
      for (const path of paths) expect(existsSync(join(root, path)), path).toBe(true);
    }
  });

  test('names the version of each runner, ends a job that hangs, and the older run of a pull request', () => {
    const labels = jobs.flatMap((job) => (job.strategy ? job.strategy.matrix.runner : [job['runs-on']]));
    for (const label of labels) expect(runners).toContain(label);
    for (const job of jobs) expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
    expect(workflow.concurrency.group).toContain('github.ref');
  });
});

test('the workflow runs on Linux what a contributor runs: all checks, and all tests', () => {
  const { jobs } = parse(readFileSync(join(folder, 'ci.yml'), 'utf8')) as Workflow;
  expect(jobs.everything?.steps.flatMap(({ run }) => run ?? [])).toEqual(['npm run check', 'npm test -- --all']);
});
