import { startAgent } from '@porchlight/agent/agent.ts';
import { linux } from '@porchlight/agent/os/linux/linux.ts';
import { linuxListing } from '@porchlight/agent/os/linux/listing/listing.ts';
import { openStore } from '@porchlight/agent/state/store.ts';

/** The agent of `window-agent.ts` as a process, real except for clock, screen and the folder that stands for the disk. */

export type ToAgent = { kind: 'show' } | { kind: 'passes'; ms: number } | { kind: 'close' };
export type FromAgent = { kind: 'ready' } | { kind: 'passed' } | { kind: 'opened'; url: string } | { kind: 'said'; sentence: string };

const [server = '', data = '', root = '', quarantineFolder = '', freeArgument = '', port = '0'] = process.argv.slice(2);
const send = (message: FromAgent) => void process.send?.(message);
let clockOffset = 0;
const now = () => new Date(Date.now() + clockOffset);
const agent = await startAgent({
  os: {
    ...linux({ PATH: process.env.PATH }),
    listing: () => linuxListing(root, 0),
    openWindow(url) {
      send({ kind: 'opened', url });
      return true;
    },
  },
  ...{
    store: await openStore(data),
    server,
    version: '1.0.0',
    freeAgent: freeArgument === 'free',
    quarantineFolder: quarantineFolder || null,
    loopback_port: Number(port),
    sites: null,
  },
  ...{ now, readClock: () => ({ wall: now().getTime(), up: performance.now() + clockOffset, boot: 'this one' }) },
  random: Math.random,
  log: (sentence) => send({ kind: 'said', sentence }),
});
process.on('message', (message: ToAgent) => {
  if (message.kind === 'show') agent.showWindow();
  else if (message.kind === 'passes') {
    clockOffset += message.ms;
    send({ kind: 'passed' });
  } else void agent.close().finally(() => process.exit(0));
});
process.once('disconnect', () => process.exit(0));
send({ kind: 'ready' });
