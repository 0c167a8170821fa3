import { doesNotMatch, strictEqual as equal, match } from 'node:assert';
import { findBrowser } from '../browser.ts';
import { openRecipeTree, type RecipeTree, recipeStep } from '../recipe-tree.ts';

export const minutes = 6;

/**
 * The recipes of CONTRIBUTING.md that take long, followed in a copy of the sources: each place that a recipe names must ask for what is
 * missing. `dev/recipes.test.ts` follows the short ones.
 */
export async function drill(log: (line: string) => void): Promise<string[]> {
  const tree = await openRecipeTree();
  try {
    followEndpointRecipe(tree);
    log('the recipe of a new endpoint is complete: the compiler and the tests name each place that the call is missing in');
    if (findBrowser()) {
      followScreenRecipe(tree);
      log('the recipe of a new screen is complete: a component, a row, a path, and a test that opens it');
    } else log('skipped the recipe of a new screen: there is no Chromium');
    return [];
  } finally {
    tree.remove();
  }
}

function followEndpointRecipe({ insert, types, vitest }: RecipeTree): void {
  const call = 'POST /web/alert-settings/reset';
  insert(
    'contract/alert-settings.ts',
    'export const alertSettingsEndpoints = endpoints({',
    `\n  '${call}': { summary: 'The settings of a new account', access: 'account', answer: alertSettings, errors: [] },`,
  );
  const missing = types('server');
  match(missing, /notifications\/settings-routes\.ts.*\n.*POST \/web\/alert-settings\/reset/);
  match(missing, /testing\/weakening\.test\.ts.*POST \/web\/alert-settings\/reset/);

  const routes = 'server/notifications/settings-routes.ts';
  insert(routes, "import type { SettingsStore } from './settings.ts';", "\nimport { defaultSettings } from './settings.ts';");
  insert(
    routes,
    'bind(app, gates, alertSettingsEndpoints, {',
    `\n    async '${call}'({ account }) {
      await db.transaction().execute((trx) => settings.set(trx, account, defaultSettings));
      return defaultSettings;
    },`,
  );
  insert('server/testing/weakening.test.ts', "  'GET /web/alert-settings': 'no',", `\n  '${call}': 'no',`);
  insert(routes, "export interface SettingsDeps extends Pick<Kernel, 'gates'", " | 'db'");
  insert(routes, 'export function settingsRoutes(app: FastifyInstance, { gates', ', db');
  match(types('server'), /^server\/notifications\/feature\.ts.*'db' is missing/);
  insert('server/notifications/feature.ts', 'settingsRoutes(http, { gates', ', db');
  equal(types('server'), '');

  const asking = vitest('server', 'testing/neighbours', '-t', 'each writing call of the contract');
  equal(asking.code, 1);
  match(asking.output, new RegExp(call));
  insert('server/testing/neighbours.test.ts', "  'POST /web/fire-drill': by('POST /web/fire-drill'),", `\n  '${call}': by('${call}'),`);
  const files = ['neighbours', 'weakening', 'matrix', 'hostile-fields'].map((name) => `testing/${name}`);
  const done = vitest('server', ...files, '-t', `${call}|each`);
  doesNotMatch(done.output, /FAIL|No test files/);
  equal(done.code, 0, done.output);
}

function followScreenRecipe({ write, insert, types, run }: RecipeTree): void {
  write('dashboard/features/accounts/example-screen.tsx', recipeStep('screen.tsx.txt'));
  insert('dashboard/app/routes.tsx', 'export const routes: RouteRow[] = [', recipeStep('row.txt').trimEnd());
  insert('dashboard/lib/paths.ts', "  history: '/history',", "\n  example: '/example',");
  write('e2e/example.e2e.ts', recipeStep('screen.e2e.ts.txt'));
  equal(types('dashboard'), '');
  const { code, output } = run('dev/test.ts', 'e2e/example.e2e.ts');
  match(output, /1 passed, 0 failed/);
  equal(code, 0, output);
}
