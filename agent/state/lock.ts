import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createServer } from 'node:net';

/** One agent on one folder. Held by the kernel as long as this process lives (an abstract socket of Linux, a pipe of Windows). Null when another one has it. */
export function lockFolder(folder: string): Promise<{ release(): void } | null> {
  const begin = process.platform === 'win32' ? '\\\\.\\pipe\\' : '\0';
  const name = `${begin}porchlight-agent-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 24)}`;
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once('error', (err: NodeJS.ErrnoException) => (err.code === 'EADDRINUSE' ? resolve(null) : reject(err)));
    server.listen(name, () => resolve({ release: () => void server.close() }));
  });
}
