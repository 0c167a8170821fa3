import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signDocument } from '@porchlight/definitions/signature.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { definitions, type TestServer, testServer } from '../testing/server.ts';
import { lockFolder } from './lock.ts';
import { openStore, type Store } from './store.ts';

let folder: string;
let store: Store;
let server: TestServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'porchlight-state-'));
  store = await openStore(join(folder, 'agent'));
  server = await testServer();
  const { link, policy, definitions: set } = server.keys;
  await store.pinKeys({ public_url: server.url, keys: { link: link.public_key, policy: policy.public_key, definitions: set.public_key } });
});
afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const detection = (time: string) => ({
  uuid: randomUUID(),
  time,
  name: 'AnyDesk',
  identifier: 'anydesk',
  category: 'RemoteControl' as const,
  details: '/opt/AnyDesk',
  blocked: true,
  certainty: 'likely' as const,
});
const file = (name: string) => join(folder, 'agent', name);

test('detections come back oldest first, also after a restart, until they are acknowledged', async () => {
  const [late, early] = [detection('2026-11-21T14:05:00.000Z'), detection('2026-11-21T09:00:00.000Z')];
  await store.queue(late);
  await store.queue(early);
  const again = await openStore(file(''));
  expect(await again.queued()).toEqual([early, late]);
  await again.acknowledged(early);
  expect(await store.queued()).toEqual([late]);
});

test('a file that was cut off is moved aside, and the others are still there', async () => {
  const good = detection('2026-11-21T14:05:00.000Z');
  await store.queue(good);
  await writeFile(file('detections/0-damaged.json'), '{"uuid":');
  await writeFile(file('identity.json'), '');
  expect(await store.queued()).toEqual([good]);
  expect(await store.identity()).toBeNull();
  expect((await readdir(file('detections'))).filter((name) => name.includes('damaged-'))).toHaveLength(1);
});

test('what was changed on the disk, or signed by someone else, is not believed', async () => {
  await store.keepSigned('definitions', signDocument(definitions(3), server.keys.definitions));
  expect(await store.definitions()).toMatchObject({ version: 3 });
  const document = signDocument(definitions(3), server.keys.definitions);
  await store.keepSigned('definitions', { ...document, payload: document.payload.replace('AnyDesk', 'AnyDusk') });
  expect(await store.definitions()).toBeNull();
  await store.keepSigned('definitions', signDocument(definitions(4), server.keys.policy));
  expect(await store.definitions()).toBeNull();
});

test('only the owner can look into the folder and its files', async () => {
  await store.setIdentity({ server: server.url, agent_token: 'secret', device: { uuid: randomUUID(), name: 'Den PC' } });
  expect((await stat(file(''))).mode & 0o777).toBe(0o700);
  expect((await stat(file('identity.json'))).mode & 0o777).toBe(0o600);
});

test('a nonce is used once, and a folder has one agent', async () => {
  expect(await store.nonceUsed('n1')).toBe(false);
  await store.useNonce('n1');
  expect(await (await openStore(file(''))).nonceUsed('n1')).toBe(true);
  const lock = await lockFolder(file(''));
  expect(lock).not.toBeNull();
  expect(await lockFolder(file(''))).toBeNull();
  lock?.release();
});
