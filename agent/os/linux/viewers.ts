import { readFile } from 'node:fs/promises';

/** 127.0.0.1 in /proc/net/tcp; /proc/net/tcp6 adds the prefix `::ffff:`. */
const LOOPBACK_HEX = '0100007F';
const hexPort = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');

/** The user ID of a connection's client; null for an unknown connection. */
export async function uidOfConnection({ from, to }: { from: number; to: number }, procFolder = '/proc/net'): Promise<number | null> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`${procFolder}/${name}`, 'utf8').catch(() => '')));
  for (const line of tables.join('\n').split('\n')) {
    const [, localAddress = '', remoteAddress = '', , , , , uid = ''] = line.trim().split(/\s+/);
    if (localAddress.endsWith(`${LOOPBACK_HEX}:${hexPort(from)}`) && remoteAddress.endsWith(`${LOOPBACK_HEX}:${hexPort(to)}`))
      return Number(uid);
  }
  return null;
}

const MAX_COUNT = 32;

/** The user to whom each address was shown, since every user can read the command line that opens it. */
export function openedAddresses() {
  const uidsByUrl = new Map<string, number>();
  return {
    add(url: string, uid: number): void {
      uidsByUrl.set(url, uid);
      const [oldest] = uidsByUrl.keys();
      if (uidsByUrl.size > MAX_COUNT && oldest) uidsByUrl.delete(oldest);
    },
    /** Also true for an address that no command line exposed. */
    async mayOpen(url: string, connection: { from: number; to: number }): Promise<boolean> {
      const uid = uidsByUrl.get(url);
      return uid === undefined || (await uidOfConnection(connection)) === uid;
    },
  };
}
