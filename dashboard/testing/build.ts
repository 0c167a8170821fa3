import react from '@vitejs/plugin-react';
import { build, type Rolldown } from 'vite';
import { brandColours } from '../brand-colours.ts';

/** The built files by path, in memory. */
export async function buildComponentPage(): Promise<Map<string, { body: string; type: string }>> {
  const buildResult = (await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    plugins: [react(), brandColours()],
    define: { __VERSION__: '"test"' },
    build: { write: false, minify: false, assetsInlineLimit: 0, modulePreload: false },
  })) as Rolldown.RolldownOutput;
  const typeOf = (name: string) => (name.endsWith('.js') ? 'text/javascript' : name.endsWith('.css') ? 'text/css' : 'text/html');
  return new Map(
    buildResult.output
      .filter(({ fileName }) => /\.(js|css|html)$/.test(fileName))
      .map((file) => [`/${file.fileName}`, { body: file.type === 'chunk' ? file.code : String(file.source), type: typeOf(file.fileName) }]),
  );
}
