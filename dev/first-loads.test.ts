// Tier: whole. It builds the dashboard.
import { expect, test } from 'vitest';
import { firstLoads, type Manifest } from './first-loads.ts';
import { explainWeights } from './first-loads-growth.ts';

const manifest: Manifest = {
  'index.html': { file: 'main.js', isEntry: true, imports: ['_shared.js'], css: ['main.css'] },
  'guardian.html': { file: 'guardian.js', isEntry: true, imports: ['_shared.js'] },
  'share.html': { file: 'share.js', isEntry: true },
  '_shared.js': { file: 'shared.js' },
  'features/accounts/login.tsx': { file: 'login.js', isDynamicEntry: true, imports: ['index.html', '_form.js'] },
  'features/accounts/register.tsx': { file: 'register.js', isDynamicEntry: true, imports: ['_form.js'] },
  'app/screens.tsx': { file: 'screens.js', isDynamicEntry: true, imports: ['index.html', '_shared.js'] },
  'app/home.tsx': { file: 'home.js', isDynamicEntry: true, css: ['home.css'] },
  'features/devices/device-page.tsx': { file: 'device.js', isDynamicEntry: true, imports: ['_shared.js', '_form.js'] },
  '_form.js': { file: 'form.js' },
};

const paths = (name: string) =>
  firstLoads(manifest)
    .find((load) => load.name === name)
    ?.path.map((path) => path.replace('dashboard/dist/', ''));

test('the first load of a screen contains the page with all its imports, and the chunk of its route', () => {
  expect(paths('login')).toEqual(['main.js', 'main.css', 'shared.js', 'login.js', 'form.js']);
  expect(paths('dashboard')).toEqual(['main.js', 'main.css', 'shared.js', 'screens.js', 'home.js', 'home.css']);
  expect(paths('guardian')).toEqual(['guardian.js', 'shared.js']);
});

test('the size of a further route excludes files that the page has already loaded', () => {
  expect(paths('route features/devices/device-page.tsx')).toEqual(['device.js', 'form.js']);
});

test('measuring first loads refuses a build that lacks a page or a route', () => {
  const { 'share.html': _, ...manifestWithoutPage } = manifest;
  expect(() => firstLoads(manifestWithoutPage)).toThrow('The build has no share.html.');
  const { 'app/home.tsx': __, ...noHome } = manifest;
  expect(() => firstLoads(noHome)).toThrow(/no chunk for the route dashboard/);
  expect(() => firstLoads({})).toThrow();
});

test('a first load over its size limit is reported with the files that grew most since main; a load within its limit is not reported', () => {
  const build = (form: number, extraModules: Record<string, number> = {}) => ({
    manifest,
    modules: { 'register.js': { 'dashboard/register.tsx': 900 }, 'form.js': { 'dashboard/ui/form.tsx': form, ...extraModules } },
  });
  const weighedLoads = [
    { name: 'login', passed: true, size: 90_000, sizeLimit: 100_000 },
    { name: 'register', passed: false, size: 101_250, sizeLimit: 100_000 },
  ];
  const currentBuild = build(5200, { 'node_modules/moment/moment.js': 60_000 });
  expect(explainWeights(weighedLoads, currentBuild, build(3100))).toEqual([
    'register weighs 101.3 kB of 100.0 kB. Grown since main, before minification:',
    '  +60.0 kB node_modules/moment/moment.js (new)',
    '  +2.1 kB dashboard/ui/form.tsx',
  ]);
  expect(explainWeights(weighedLoads, currentBuild, null)[0]).toBe(
    'register weighs 101.3 kB of 100.0 kB. Its largest files, before minification:',
  );
});
