import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runTyped } from '../testing/command.ts';
import { definitionWith } from '../testing/definition-with.ts';

const folder = mkdtempSync(join(tmpdir(), 'porchlight-app-control-'));
afterAll(() => rmSync(folder, { recursive: true }));
const acme = definitionWith('acme', { programs: { original_names: ['AcmeControl.exe'] } });
const setFile = join(folder, 'set.json');
writeFileSync(setFile, JSON.stringify({ version: 1, issued: '2026-01-01T00:00:00.000Z', definitions: [acme] }));

test('the app-control command prints a policy of the catalogue, which is enforced', async () => {
  const { code, output } = await runTyped(['app-control']);
  expect(code).toBe(0);
  expect(output).toMatch(/^<\?xml /);
  expect(output).toContain('FileName="AnyDesk.exe"');
  expect(output).toContain('<VersionEx>10.0.0.1</VersionEx>');
  expect(output).not.toContain('Enabled:Audit Mode');
});

test('the app-control command with a set, a version and --audit prints a policy of that set, which only records', async () => {
  const { output } = await runTyped(['app-control', '--audit', '--version', '65537', '--set', setFile]);
  expect(output.match(/<Deny [^>]*FileName="[^"]*"/g)).toHaveLength(1);
  expect(output).toContain('FileName="AcmeControl.exe"');
  expect(output).toContain('<VersionEx>10.0.1.1</VersionEx>');
  expect(output).toContain('Enabled:Audit Mode');
});

test.each([
  [['--version', '0'], /whole number from 1/],
  [['--version', 'two'], /whole number from 1/],
  [['--version', '4294967296'], /whole number from 1/],
  [['--nope'], /does not know --nope/],
  [['more'], /does not know what to do with "more"/],
  [['--set', join(folder, 'none.json')], /is not there/],
])('the app-control command refuses %j with a sentence', async (args, sentence) => {
  await expect(runTyped(['app-control', ...args])).rejects.toThrow(sentence);
});
