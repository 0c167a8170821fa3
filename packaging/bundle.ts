import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Release } from '@porchlight/contract/updates.ts';
import { build, type Plugin } from 'esbuild';
import type { Target } from './targets.ts';

const main = fileURLToPath(new URL('../agent/lifecycle/start.ts', import.meta.url));

/**
 * koffi expects its native part in a package; here it is in the executable's folder. Nothing is extracted at run time, which virus scanners
 * suspect.
 */
const nativeNextToProgram = (native: string): Plugin => ({
  name: 'native-beside',
  setup({ onResolve, onLoad }) {
    const koffi = createRequire(main).resolve('koffi');
    onResolve({ filter: /^koffi$/ }, () => ({ path: koffi }));
    onResolve({ filter: /^@koromix\/koffi-/ }, ({ path }) => ({ path, namespace: 'native' }));
    onLoad({ filter: /./, namespace: 'native' }, () => ({
      contents: `const { dirname, join } = require('node:path'); process.dlopen(module, join(dirname(process.execPath), ${JSON.stringify(native)}));`,
    }));
  },
});

/**
 * Bundles the program at `entry` for Node 22. `native`: koffi's native file next to it. `release`: null for an agent without operator file
 * and updates. Throws when something would not work in a bundle.
 */
export async function bundle(target: Target, native: string, release: Release | null, entry = main): Promise<string> {
  const system = { win: 'win32', darwin: 'darwin', linux: 'linux' }[target.split('-')[0] as 'win' | 'darwin' | 'linux'];
  const { outputFiles, warnings } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    plugins: [nativeNextToProgram(native)],
    // Lets the bundler remove code for other systems.
    define: { 'process.platform': JSON.stringify(system), ...(release ? { PORCHLIGHT_RELEASE: JSON.stringify(release) } : {}) },
    write: false,
    logLevel: 'silent',
  });
  // import.meta is empty in a bundle, so a path made from import.meta would be wrong.
  const [warning] = warnings.filter(({ location }) => !location?.file.includes('node_modules'));
  if (warning) throw new Error(`${warning.location?.file}:${warning.location?.line}: ${warning.text}`);
  return outputFiles[0]?.text ?? '';
}
