import { join } from 'node:path';
import { type Child, startChild } from './child.ts';
import { root } from './root.ts';

export interface ServerPlace {
  dataDir: string;
  port: number;
  publicUrl: string;
  env: NodeJS.ProcessEnv;
}

export function startServer(place: ServerPlace): Child {
  const { dataDir, port, publicUrl, env } = place;
  return startChild({
    script: join(root, 'server', 'main.ts'),
    // Most objects live only for one call. V8 lets their part of the heap grow to about 100 MB under load, and shrinks it only during
    // garbage collection, which an idle process does not do.
    node: ['--max-semi-space-size=16'],
    cwd: root,
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
