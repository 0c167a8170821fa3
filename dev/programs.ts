import { join } from 'node:path';
import { type Child, startChild } from './child.ts';
import { root } from './root.ts';

export interface ServerPlace {
  dataDir: string;
  port: number;
  publicUrl: string;
  env: NodeJS.ProcessEnv;
  /** The folder of another copy of the sources, which runs in place of these. */
  tree?: string | undefined;
}

/**
 * Most objects live only for one call. V8 lets both parts of the heap grow far under load, measured to 280 MB beside 65 MB of live objects, and
 * never gives the memory of pages back that it once had. Collecting earlier costs no calls.
 */
export const serverHeapOptions = ['--max-semi-space-size=16', '--heap-growing-percent=50'];

export function startServer(place: ServerPlace): Child {
  const { dataDir, port, publicUrl, env, tree = root } = place;
  return startChild({
    script: join(tree, 'server', 'main.ts'),
    node: serverHeapOptions,
    cwd: tree,
    env: { ...env, DATA_DIR: dataDir, PORT: String(port), PUBLIC_URL: publicUrl },
    logFile: join(dataDir, 'logs', 'server.log'),
  });
}

export function startAgent(place: ServerPlace, args: string[] = []): Child {
  return startChild({
    script: join(root, 'agent', 'main.ts'),
    args,
    cwd: root,
    env: { ...place.env, PORCHLIGHT_SERVER: place.publicUrl, AGENT_DATA_DIR: join(place.dataDir, 'agent') },
    logFile: join(place.dataDir, 'logs', 'agent.log'),
  });
}
