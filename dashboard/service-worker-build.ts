import { build, type Plugin, type Rolldown } from 'vite';

/**
 * Builds the service worker by itself: one classic script, which every browser with Web Push runs, under a name without a hash, since a
 * browser knows a worker by its address.
 */
export function serviceWorkerBuild(): Plugin {
  return {
    name: 'service-worker-build',
    async generateBundle() {
      const { output } = (await build({
        root: import.meta.dirname,
        configFile: false,
        logLevel: 'error',
        build: { write: false, target: 'es2022', rolldownOptions: { input: 'service-worker.ts', output: { format: 'iife' } } },
      })) as Rolldown.RolldownOutput;
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: output[0].code });
    },
  };
}
