import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { libc } from '../os/linux/libc.ts';
import { temporaryFolder } from './agent.ts';

/** Where systemd would listen, sd_notify(3): what was said, one text each, and for how many milliseconds nothing was. Null where there is no koffi. */
export async function notifySocket(): Promise<{ path: string; said: string[]; silentFor(): number } | null> {
  const c = await libc();
  if (!c) return null;
  const [path, said] = [join(await temporaryFolder(), 'notify'), [] as string[]];
  const address = Buffer.concat([Buffer.from([1, 0]), Buffer.from(`${path}\0`)]);
  const fd = c.socket(1, 0o2004002, 0);
  if (c.bind(fd, address, address.length) !== 0) throw new Error(`no socket at ${path}: error ${c.errno()}`);
  let last = performance.now();
  const buffer = Buffer.alloc(4096);
  const look = setInterval(() => {
    for (;;) {
      const length = c.recvfrom(fd, buffer, buffer.length, 0, Buffer.alloc(16), Buffer.alloc(4));
      if (length <= 0) return;
      last = performance.now();
      said.push(buffer.toString('utf8', 0, length));
    }
  }, 5);
  onTestFinished(() => {
    clearInterval(look);
    c.close(fd);
  });
  return { path, said, silentFor: () => performance.now() - last };
}
