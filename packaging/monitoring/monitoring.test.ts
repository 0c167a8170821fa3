import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { promtool } from '../testing/promtool.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: Record<string, string>;
}
interface RuleTest {
  promql_expr_test?: { expr: string; exp_samples: { labels: string }[] }[];
}
const rules = (parse(read('alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const ruleTests = (parse(read('alerts.test.yml')) as { tests: RuleTest[] }).tests;

describe('alerts.yml', () => {
  test('promtool accepts every rule', (context) => {
    const { status, output } = promtool(context, ['check', 'rules', join(folder, 'alerts.yml')]);
    expect(output).toContain(`SUCCESS: ${rules.length} rules found`);
    expect(status, output).toBe(0);
  });

  test('each rule fires for what is bad and for nothing else', (context) => {
    const { status, output } = promtool(context, ['test', 'rules', join(folder, 'alerts.test.yml')]);
    expect(status, output).toBe(0);
  });

  test('a rule whose limit was lost fails the tests of the rules', async (context) => {
    const copy = await temporaryFolder();
    cpSync(folder, copy, { recursive: true });
    writeFileSync(join(copy, 'alerts.yml'), read('alerts.yml').replace('> 36 * 3600', '> 360 * 3600'));
    const { status, output } = promtool(context, ['test', 'rules', join(copy, 'alerts.test.yml')]);
    expect(output).toContain('PorchlightBackupOld');
    expect(status).toBe(1);
  });

  test.each(rules)('$alert waits, has a severity, and says what happened, what to do and where to read on', (rule) => {
    expect(rule.alert).toMatch(/^Porchlight[A-Z]/);
    expect(rule.for).toMatch(/^\d+[mh]$/);
    expect(['critical', 'warning']).toContain(rule.labels.severity);
    expect(Object.keys(rule.annotations)).toEqual(['summary', 'description', 'runbook']);
    for (const text of [rule.annotations.summary, rule.annotations.description]) expect(text).toMatch(/^[A-Z`].*[.]$/);
    expect(rule.annotations.runbook).toMatch(/^docs\/.+\.md(#[a-z0-9-]+)?$/);
  });

  test.each(rules)('$alert has a test in which it fires', ({ alert, labels }) => {
    const fired = ruleTests.flatMap(({ promql_expr_test }) => promql_expr_test ?? []).flatMap(({ exp_samples }) => exp_samples);
    const expected = fired.filter((sample) => sample.labels.includes(`alertname="${alert}"`));
    expect(expected.length, alert).toBeGreaterThan(0);
    for (const sample of expected) expect(sample.labels).toContain(`alertstate="firing",severity="${labels.severity}"`);
  });
});

test('promtool accepts prometheus.yml with the file of the token and the rules beside it', async (context) => {
  const copy = await temporaryFolder();
  for (const name of ['prometheus.yml', 'alerts.yml']) cpSync(join(folder, name), join(copy, name));
  writeFileSync(join(copy, 'porchlight-token'), 'x'.repeat(20), { mode: 0o600 });
  const { status, output } = promtool(context, ['check', 'config', join(copy, 'prometheus.yml')]);
  expect(status, output).toBe(0);
  expect(output).toContain(`SUCCESS: ${rules.length} rules found`);
});

test('the example scrapes a job whose name the rules count on, and has no token in it', () => {
  const { scrape_configs } = parse(read('prometheus.yml')) as { scrape_configs: { job_name: string; authorization: unknown }[] };
  expect(scrape_configs.map(({ job_name, authorization }) => ({ job_name, authorization }))).toEqual([
    { job_name: 'porchlight', authorization: { credentials_file: 'porchlight-token' } },
  ]);
});
