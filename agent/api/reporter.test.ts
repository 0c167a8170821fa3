import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import { scanItem } from '@porchlight/contract/scan.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { expect, it } from 'vitest';
import { sealedFiles, stateKey } from '../state/sealed-files.ts';
import { openStore, type Store } from '../state/store.ts';
import { agentForTest, onDisk, serverForTest, temporaryFolder } from '../testing/agent.ts';
import { proxyForTest } from '../testing/proxy.ts';
import { until } from '../testing/until.ts';
import { caller } from './call.ts';
import { enrol } from './enrol.ts';
import { reportAll, reportScan } from './reporter.ts';

const detectionAt = (ms: number, details = '/opt/anydesk'): ReportedDetection => ({
  ...{ uuid: randomUUID(), time: new Date(ms).toISOString(), name: 'AnyDesk', identifier: 'anydesk', category: 'RemoteControl' },
  ...{ details, blocked: true, certainty: 'likely', why: 'name=anydesk', start: 'person' },
});
const info = () => ({
  ...{ name: 'pc', platform: 'linux' as const, os_version: '1', arch: 'x64', agent_version: '1.2.3', time_zone: 'UTC', limitations: [] },
});
const neverAborted = new AbortController().signal;
const tooLarge = { status: 413, type: 'text/html', body: '<h1>413 Request Entity Too Large</h1>' } as const;

/** A linked store, and a proxy before its server that accepts only small bodies. */
async function reporting(maxBytes: number) {
  const server = await serverForTest();
  const proxy = await proxyForTest(server);
  proxy.override = ({ body }) => (Buffer.byteLength(body) > maxBytes ? tooLarge : null);
  const folder = await temporaryFolder();
  const store = await openStore(folder);
  const call = caller(proxy.url);
  const deps = { store, call, server: proxy.url, info, now: () => new Date(), beforeLinked: async () => {} };
  const identity = await enrol(deps, 'ABCD-EFGH');
  return { server, store, folder, call, identity, report: (from: Store = store) => reportAll(from, call, identity, neverAborted) };
}

const uuids = (detections: ReportedDetection[]) => detections.map(({ uuid }) => uuid);

for (const [description, character] of Object.entries({ 'in Chinese': '漢', 'of control characters': '\u0001' })) {
  it(`[P4.5] a hundred queued detections with deep paths ${description} arrive once each, in order, within the body limit of the API`, async () => {
    const server = await serverForTest();
    const proxy = await proxyForTest(server);
    proxy.override = ({ body }) => (Buffer.byteLength(body) > serverLimits.body_max ? tooLarge : null);
    const test = await agentForTest(server, { server: proxy.url });
    await test.linked();
    await server.down();
    const queuedDetections = Array.from({ length: 100 }, (_, n) => detectionAt(1_800_000_000_000 + n, character.repeat(2000)));
    for (const detection of queuedDetections) await test.store.queue(detection);
    await test.close();
    await server.listen();
    const restartedAgent = await agentForTest(server, { server: proxy.url, folder: test.folder });
    await until('the disk to be empty', async () => (await onDisk(restartedAgent)).length === 0);
    expect(server.sent).toEqual(queuedDetections);
    expect(proxy.overridden).toBe(0);
  });
}

it('reports are split where the server accepts less, and a single report that is too long is sent without details', async () => {
  const { server, store, report } = await reporting(5000);
  const small = Array.from({ length: 40 }, (_, n) => detectionAt(n + 1));
  const large = detectionAt(0, 'x'.repeat(2000));
  const larger = detectionAt(20, '漢'.repeat(2000));
  for (const entry of [...small, large, larger]) await store.queue(entry);
  await report();
  expect(await store.queued()).toEqual([]);
  expect(new Set(uuids(server.sent)).size).toBe(42);
  expect(server.sent).toHaveLength(42);
  expect(server.detections.get(large.uuid)).toEqual(large);
  expect(server.detections.get(larger.uuid)).toEqual({ ...larger, details: '' });
});

it('[P4.5] three thousand queued detections arrive once each, in order, and the agent reads each file once', async () => {
  const { server, store, folder, report } = await reporting(serverLimits.body_max);
  const queuedDetections = Array.from({ length: 3000 }, (_, n) => detectionAt(1_800_000_000_000 + n * 1000));
  // Written like queued detections of the store, but without a flush for each file.
  const files = sealedFiles(await stateKey(folder), () => {});
  for (const entry of queuedDetections) files.writeNow(join(folder, 'detections', `${Date.parse(entry.time)}-${entry.uuid}.json`), entry);
  let readCount = 0;
  const countingStore: Store = {
    ...store,
    queuedIn: (path) => {
      readCount++;
      return store.queuedIn(path);
    },
    queued: () => {
      throw new Error('all of them are read at once');
    },
  };
  await report(countingStore);
  expect(uuids(server.sent)).toEqual(uuids(queuedDetections));
  expect(readCount).toBe(3000);
  expect(await store.queuedFiles()).toEqual([]);
});

it('a scan report that is too long is sent without details', async () => {
  const { server, call, identity } = await reporting(60_000);
  const item = { ...detectionAt(0), kind: 'downloads', did: 'put_away', details: '漢'.repeat(2000) } as const;
  const scan = { uuid: randomUUID(), time: new Date().toISOString(), items: Array.from({ length: 200 }, () => scanItem.parse(item)) };
  await reportScan(call, scan, identity.agent_token);
  expect(server.scans).toEqual([{ ...scan, items: scan.items.map((one) => ({ ...one, details: '' })) }]);
});
