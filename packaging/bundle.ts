import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Release } from '@porchlight/contract/updates.ts';
import { build, type Plugin } from 'esbuild';
import type { Target } from './targets.ts';

const main = fileURLToPath(new URL('../agent/lifecycle/start.ts', import.meta.url));

/** koffi loads its native part from a package beside it; a bundle has it beside the executable, where no virus scanner takes it for a dropped file. */
const nativeBeside = (native: string): Plugin => ({
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
 * The whole agent (or another program that begins at `entry`) as one script for Node 22. `native`: the file beside it that koffi loads. `release`:
 * null for an agent without an operator's file and without updates. Throws when something in it would not work in a bundle.
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
    plugins: [nativeBeside(native)],
    // What belongs to another system falls out.
    define: { 'process.platform': JSON.stringify(system), ...(release ? { PORCHLIGHT_RELEASE: JSON.stringify(release) } : {}) },
    write: false,
    logLevel: 'silent',
  });
  // Above all import.meta, which is empty in a bundle: a path made of it would point nowhere.
  const [wrong] = warnings.filter(({ location }) => !location?.file.includes('node_modules'));
  if (wrong) throw new Error(`${wrong.location?.file}:${wrong.location?.line}: ${wrong.text}`);
  return outputFiles[0]?.text ?? '';
}
