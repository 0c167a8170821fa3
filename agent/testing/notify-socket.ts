import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { getLibc } from '../os/linux/libc.ts';
import { temporaryFolder } from './agent.ts';

/**
 * A fake systemd notify socket, sd_notify(3). Gives the received messages, and the milliseconds since the last message. Null without koffi.
 */
export async function notifySocket(): Promise<{ path: string; messages: string[]; silentFor(): number } | null> {
  const c = await getLibc();
  if (!c) return null;
  const [path, messages] = [join(await temporaryFolder(), 'notify'), [] as string[]];
  const address = Buffer.concat([Buffer.from([1, 0]), Buffer.from(`${path}\0`)]);
  const fd = c.socket(1, 0o2004002, 0);
  if (c.bind(fd, address, address.length) !== 0) throw new Error(`no socket at ${path}: error ${c.errno()}`);
  let lastMessageAt = performance.now();
  const buffer = Buffer.alloc(4096);
  const polling = setInterval(() => {
    for (;;) {
      const length = c.recvfrom(fd, buffer, buffer.length, 0, Buffer.alloc(16), Buffer.alloc(4));
      if (length <= 0) return;
      lastMessageAt = performance.now();
      messages.push(buffer.toString('utf8', 0, length));
    }
  }, 5);
  onTestFinished(() => {
    clearInterval(polling);
    c.close(fd);
  });
  return { path, messages, silentFor: () => performance.now() - lastMessageAt };
}
