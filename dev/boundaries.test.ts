import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importCircles, shippedDefinitions, whyForbidden } from './boundaries.ts';
import { importsOf } from './imports.ts';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

const source = (file: string) => readFileSync(join(root, file), 'utf8');
const files = ['contract', 'definitions', 'server', 'simulators', 'dashboard', 'agent', 'packaging', 'dev', 'e2e', 'bench'].flatMap(
  (folder) => filesBelow(folder, /\.tsx?$/),
);

function reachesSchemas(file: string, visited = new Set<string>()): boolean {
  if (visited.has(file) || !files.includes(file)) return false;
  visited.add(file);
  return importsOf(file, source(file)).some(({ to, types_only }) => !types_only && (to === 'npm:zod' || reachesSchemas(to, visited)));
}

test('every import in the repository respects the zones of CONTRIBUTING.md', () => {
  const imports = files.flatMap((file) => importsOf(file, source(file)).map((foundImport) => ({ file, found: foundImport })));
  expect(files.length).toBeGreaterThan(45);
  expect(imports.length).toBeGreaterThan(100);
  const violations = imports.flatMap(({ file, found }) => {
    const reason = whyForbidden(file, found, reachesSchemas);
    return reason ? [`${file} imports ${found.to}: ${reason}`] : [];
  });
  expect(violations).toEqual([]);
});

test('[P16.1] nothing that recognises is in the programs of the agent: they reach no data that ships, also by way of others', () => {
  const reached = new Set<string>();
  const reach = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    if (files.includes(file)) for (const { to, types_only } of importsOf(file, source(file))) if (!types_only) reach(to);
  };
  const shippedFrom = (...programs: string[]) => {
    reached.clear();
    programs.forEach(reach);
    return [...reached].filter((file) => shippedDefinitions.test(file)).toSorted();
  };
  expect(shippedFrom('agent/lifecycle/start.ts', 'agent/main.ts', 'agent/dns-filter.ts')).toEqual([]);
  expect(reached).toContain('definitions/commands/match-command.ts');
  expect(reached).toContain('definitions/money/money-sites.ts');
  expect(shippedFrom('server/main.ts')).toEqual(
    expect.arrayContaining(['definitions/commands/patterns.json', 'definitions/money/institutions.json', 'definitions/shipped.ts']),
  );
});

test('no file imports itself by way of others, types included', () => {
  const known = new Set(files);
  const importsBy = new Map(
    files.map((file) => [file, [...new Set(importsOf(file, source(file)).map(({ to }) => to))].filter((to) => known.has(to))]),
  );
  expect(importCircles(importsBy)).toEqual([]);
  const made = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', []],
  ]);
  expect(importCircles(made)).toEqual([['a', 'b', 'c']]);
});

test('every file that the repository imports exists', () => {
  const missingFiles = files.flatMap((file) =>
    importsOf(file, source(file))
      .filter(({ to }) => /^(contract|definitions|server|agent|dashboard|packaging|dev)\/.*\.tsx?$/.test(to) && !files.includes(to))
      .map(({ to }) => `${file} imports ${to}`),
  );
  expect(missingFiles).toEqual([]);
});

test("only main.ts reads the server's environment variables", () => {
  const servers = files.filter(
    (file) => file.startsWith('server/') && !/\.test\.ts$|^server\/(main\.ts|cli\/main\.ts|testing\/|vitest\.config\.ts)/.test(file),
  );
  expect(servers.length).toBeGreaterThan(5);
  expect(servers.filter((file) => /process\.env\b/.test(source(file).replace(/\/\*[\s\S]*?\*\//g, '')))).toEqual([]);
});

test.each([
  ['server/features/devices/routes.ts', 'server/features/accounts/store.ts'],
  ['server/features/devices/devices.test.ts', 'server/features/accounts/store.ts'],
  ['server/features/brand-new/routes.ts', 'server/features/devices/store.ts'],
  ['server/features/devices/routes.ts', 'server/app.ts'],
  ['server/app.ts', 'server/features/devices/store.ts'],
  ['server/app.ts', 'server/features/accounts/sign-in-methods/feature.ts'],
  ['server/features/devices/routes.ts', 'server/integrations/mail/smtp.ts'],
  ['server/secrets/tokens.ts', 'server/features/devices/store.ts'],
  ['contract/devices.ts', 'node:fs'],
  ['contract/devices.ts', 'npm:react'],
  ['contract/devices.ts', 'server/config.ts'],
  ['dashboard/features/devices/list.tsx', 'dashboard/features/guardians/list.tsx'],
  ['dashboard/features/devices/list.tsx', 'dashboard/app/routes.tsx'],
  ['dashboard/ui/button.tsx', 'contract/devices.ts'],
  ['dashboard/features/devices/list.tsx', 'contract/devices.ts'],
  ['dashboard/lib/call.ts', 'server/config.ts'],
  ['agent/protection/detectors/remote.ts', 'agent/os/linux/processes.ts'],
  ['agent/protection/detectors/remote.ts', 'node:fs'],
  ['agent/protection/detectors/remote.ts', 'agent/protection/detectors/sites.ts'],
  ['agent/protection/act.ts', 'agent/os/linux/processes.ts'],
  ['agent/protection/act.ts', 'agent/dns-filter/filter.ts'],
  ['agent/ui/window/page.ts', 'definitions/match.ts'],
  ['agent/os/linux/processes.ts', 'agent/os/windows/processes.ts'],
  ['agent/agent.ts', 'server/config.ts'],
  ['agent/main.ts', 'definitions/shipped.ts'],
  ['agent/protection/detectors/remote.ts', 'definitions/catalogue.ts'],
  ['agent/protection/detectors/remote.ts', 'definitions/commands/patterns.json'],
  ['agent/dns-filter/matcher.ts', 'definitions/first-list.ts'],
  ['agent/dns-filter/matcher.ts', 'definitions/money/institutions.ts'],
  ['agent/agent.ts', 'agent/os/linux/linux.ts'],
  ['agent/agent.ts', 'agent/lifecycle/begin.ts'],
  ['agent/brand-new/room.ts', 'agent/lock/pause.ts'],
  ['agent/dns-filter.ts', 'agent/state/store.ts'],
  ['agent/lock/pause.ts', 'definitions/match.ts'],
  ['agent/disk-scan/scanner.ts', 'agent/quarantine/quarantine.ts'],
  ['agent/api/pull.ts', 'agent/lock/pause.ts'],
  ['server/main.ts', 'dev/world.ts'],
  ['agent/lifecycle/update/updater.ts', 'packaging/update.ts'],
  ['packaging/bundle.ts', 'agent/lib/release.ts'],
  ['packaging/self-check/main.ts', 'agent/main.ts'],
  ['agent/cli/help.ts', 'packaging/self-check/report.ts'],
  ['agent/journeys/start.test.ts', 'packaging/self-check/report.ts'],
])('the file %s may not import %s', (file, imported) => {
  expect(whyForbidden(file, { to: imported, types_only: false, lazy: false }, () => true)).toMatch(/\w/);
});

test.each([
  ['server/features/devices/routes.ts', 'server/db/open.ts', false],
  ['server/app.ts', 'server/features/devices/feature.ts', false],
  ['server/features/devices/routes.ts', 'server/integrations/mail/mail.ts', true],
  ['server/features/devices/devices.test.ts', 'server/testing/world.ts', false],
  ['server/features/definitions/store.ts', 'definitions/match.ts', false],
  ['dashboard/features/devices/list.tsx', 'contract/devices.ts', true],
  ['agent/api/pull.ts', 'definitions/signature.ts', false],
  ['agent/ui/loopback/guard.ts', 'definitions/signature.ts', false],
  ['agent/main.ts', 'agent/os/linux/linux.ts', false],
  ['agent/agent.ts', 'agent/os/port.ts', false],
  ['agent/agent.ts', 'agent/brand-new/room.ts', false],
  ['agent/protection/detectors/remote.ts', 'definitions/match.ts', false],
  ['agent/testing/feed.ts', 'definitions/shipped.ts', false],
  ['agent/api/feed.test.ts', 'definitions/catalogue.ts', false],
  ['e2e/first.e2e.ts', 'dev/world.ts', false],
  ['agent/journeys/built-update.test.ts', 'packaging/update.ts', false],
  ['packaging/update.ts', 'definitions/signature.ts', false],
  ['packaging/self-check/rows-linux.ts', 'agent/lib/marked-lines.ts', false],
])('the file %s may import %s', (file, imported, types_only) => {
  expect(whyForbidden(file, { to: imported, types_only, lazy: false }, () => true)).toBeNull();
});

test('the import parser distinguishes imports of types from imports of values as TypeScript does, and knows those by import()', () => {
  const foundImports = importsOf(
    'server/features/a/routes.ts',
    `import type { A } from '../b/x.ts';\nimport { type B, type C } from './y.ts';\nimport d, { type E } from 'npm-thing/sub';\nexport { f } from '@porchlight/contract/f.ts';
import 'node:fs';\nconst g = await ${'import'}('./g.ts');\n// import x from './commented.ts'\nimport {\n  h,\n  type I,\n} from './h.ts';`,
  );
  expect(foundImports).toEqual([
    { to: 'server/features/b/x.ts', types_only: true, lazy: false },
    { to: 'server/features/a/y.ts', types_only: true, lazy: false },
    { to: 'npm:npm-thing', types_only: false, lazy: false },
    { to: 'contract/f.ts', types_only: false, lazy: false },
    { to: 'node:fs', types_only: false, lazy: false },
    { to: 'server/features/a/g.ts', types_only: false, lazy: true },
    { to: 'server/features/a/h.ts', types_only: false, lazy: false },
  ]);
});
