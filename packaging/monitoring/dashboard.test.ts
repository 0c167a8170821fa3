import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { promtool } from '../testing/promtool.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  datasource?: { type: string; uid: string };
  gridPos: { x: number; y: number; w: number; h: number };
  fieldConfig?: { defaults: { unit?: string } };
  targets?: { refId: string; expr: string; legendFormat: string; datasource: { type: string; uid: string } }[];
}
interface Board {
  uid: string;
  schemaVersion: number;
  templating: { list: { name: string; type: string }[] };
  panels: Panel[];
}
const text = readFileSync(new URL('dashboard.json', import.meta.url), 'utf8');
const board = JSON.parse(text) as Board;
const panels = board.panels.filter(({ type }) => type !== 'row');
const chosenSource = { type: 'prometheus', uid: '$' + '{datasource}' };

test('the board has a row for each question, from what families notice to what it depends on', () => {
  expect(board.panels.filter(({ type }) => type === 'row').map(({ title }) => title)).toEqual([
    ...['Families are notified', 'Calls', 'Work in the background', 'Agents', 'Database and machine', 'Feed and backup'],
  ]);
  expect(board.schemaVersion).toBe(39);
});

test('the Prometheus and the installation are chosen on the board, and every panel reads from these', () => {
  expect(board.templating.list.map(({ name, type }) => [name, type])).toEqual([
    ['datasource', 'datasource'],
    ['job', 'query'],
  ]);
  for (const { datasource, targets = [] } of panels) {
    expect([datasource, ...targets.map((target) => target.datasource)]).toEqual(Array(1 + targets.length).fill(chosenSource));
    for (const { expr } of targets)
      expect(expr.match(/(?:porchlight|process|nodejs)_\w+\{job="\$job"/g)?.length).toBe(metricsIn(expr).length);
  }
});

const metricsIn = (expr: string) => expr.match(/\b(?:porchlight|process|nodejs)_\w+/g) ?? [];

test.each(panels)(
  'the panel $title says what it shows, in a unit, with a legend in words',
  ({ description, fieldConfig, targets = [] }) => {
    expect(description).toMatch(/^[A-Z0-9].*\.$/);
    expect(fieldConfig?.defaults.unit).toMatch(/^(s|short|none|reqps|bytes|percentunit)$/);
    expect(targets.length).toBeGreaterThan(0);
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    for (const { legendFormat } of targets) expect(legendFormat).toMatch(/\w/);
  },
);

test('no panel has the number of another, overlaps another, or reaches beyond the board', () => {
  expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
  const taken = new Map<string, string>();
  for (const { title, gridPos } of board.panels) {
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(taken.get(`${x},${y}`), `${title} at ${x},${y}`).toBeUndefined();
        taken.set(`${x},${y}`, title);
      }
    }
  }
});

test('promtool reads every expression of the board', async (context) => {
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const rules = expressions.map((expr, n) => ({
    record: `panel:${n}`,
    expr: expr.replaceAll('$job', 'porchlight').replaceAll('$__rate_interval', '5m'),
  }));
  const file = join(await temporaryFolder(), 'board.yml');
  writeFileSync(file, stringify({ groups: [{ name: 'board', rules }] }));
  const { status, output } = promtool(context, ['check', 'rules', file]);
  expect(status, output).toBe(0);
  expect(output).toContain(`SUCCESS: ${expressions.length} rules found`);
});
