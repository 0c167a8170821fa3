// Tier: whole. It starts the product and promtool.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promtool } from '@porchlight/packaging/testing/promtool.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { brokenLinks } from './links.ts';
import { type MetricUse, metricsRead, readMetrics } from './metrics-text.ts';
import { root } from './root.ts';
import { startWorld, type World } from './world.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const { groups } = parse(read('packaging/monitoring/alerts.yml')) as {
  groups: { rules: { alert: string; expr: string; labels: { severity: string }; annotations: { runbook: string } }[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const board = JSON.parse(read('packaging/monitoring/dashboard.json')) as { panels: { title: string; targets?: { expr: string }[] }[] };
const expressions = [
  ...rules.map(({ alert, expr }) => ({ from: alert, expr })),
  ...board.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ from: title, expr }))),
];

/** The table of the page for operators: each metric with its labels. */
const documented = new Map(
  [...read('docs/operating/watching.md').matchAll(/^\| `(porchlight_\w+)` \| ([^|]+) \| [^|]+ \|$/gm)].map(([, name = '', labels = '']) => [
    name,
    [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
  ]),
);
/** Prometheus adds these. */
const ofPrometheus = ['job', 'instance'];

test.each(rules)('the runbook of $alert leads to a page and a heading', ({ annotations }) => {
  expect(brokenLinks('README.md', (file) => (file === 'README.md' ? `[runbook](${annotations.runbook})` : read(file)))).toEqual([]);
});

test('the page for operators names each alert with its severity, in the order of the rules', () => {
  const named = [...read('docs/operating/watching.md').matchAll(/^\| (Porchlight\w+) \| (\w+) \| [^|]+ \|$/gm)].map((row) =>
    row.slice(1, 3),
  );
  expect(named).toEqual(rules.map(({ alert, labels }) => [alert, labels.severity]));
});

test.each(expressions)('$from uses only metrics and labels that the page for operators names', ({ expr }) => {
  const used = metricsRead(expr);
  expect(used.length).toBeGreaterThan(0);
  for (const { name, labels } of used.filter((one) => one.name.startsWith('porchlight_'))) {
    expect([...documented.keys()]).toContain(name);
    expect(labels.filter((label) => ![...ofPrometheus, 'le', ...(documented.get(name) ?? [])].includes(label))).toEqual([]);
  }
});

describe('a real server', () => {
  const token = 'a-token-of-24-characters';
  let world: World;
  let text: string;

  beforeAll(async () => {
    world = await startWorld({ env: { METRICS_TOKEN: token } });
    const answer = await fetch(`${world.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    text = await answer.text();
  });
  afterAll(() => world.close());

  test('promtool finds nothing wrong in its metrics', (context) => {
    const { status, output } = promtool(context, ['check', 'metrics'], text);
    expect([status, output]).toEqual([0, '']);
  });

  test('the page for operators names each of its metrics, and no other', () => {
    const own = [...readMetrics(text).keys()].filter((name) => name.startsWith('porchlight_'));
    expect([...documented.keys()].toSorted()).toEqual(own.toSorted());
  });

  test('the page for operators names the labels of each metric that has a value', () => {
    const withValue = [...readMetrics(text)].filter(([name, { labels }]) => name.startsWith('porchlight_') && labels !== null);
    expect(withValue.length).toBeGreaterThan(15);
    for (const [name, { labels }] of withValue)
      expect({ name, labels: documented.get(name)?.toSorted() }).toEqual({ name, labels: labels?.toSorted() });
  });

  test('it has every metric of Node and of the process that the rules and the board use', () => {
    const uses: MetricUse[] = expressions.flatMap(({ expr }) => metricsRead(expr));
    const names = uses.map(({ name }) => name).filter((name) => /^(?:process|nodejs)_/.test(name));
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) expect([...readMetrics(text).keys()]).toContain(name);
  });
});
