import { randomUUID } from 'node:crypto';
import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DevicePolicy, ReportedDetection } from '@porchlight/contract/agent.ts';
import { noUnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import { newKeyPair, signDocument } from '@porchlight/definitions/signature.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../testing/agent.ts';
import { readWhole, removeHalfWritten, writeWhole } from './files.ts';
import { openStore } from './store.ts';

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
const anyText = z.object({ text: z.string() });

const detectionAt = (time: string): ReportedDetection => ({
  uuid: randomUUID(),
  time,
  name: 'AnyDesk',
  identifier: 'anydesk',
  category: 'RemoteControl',
  details: '/opt/anydesk',
  blocked: true,
  certainty: 'likely',
  why: 'name=anydesk',
  start: 'person',
});

describe('state files', () => {
  it('a reader during a write sees either the old or the new content', async () => {
    const path = join(await temporaryFolder(), 'a.json');
    const contents = ['a', 'b'].map((character) => JSON.stringify({ text: character.repeat(200_000) }));
    await writeWhole(path, contents[0] ?? '');
    let writing = true;
    const written = (async () => {
      for (let n = 0; n < 30; n++) await writeWhole(path, contents[n % 2] ?? '');
      writing = false;
    })();
    let reads = 0;
    while (writing) {
      expect(contents).toContain(await readFile(path, 'utf8'));
      reads++;
    }
    await written;
    expect(reads).toBeGreaterThan(5);
  });

  it('half-written files of a crash are ignored', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'a.json');
    await writeWhole(path, '{"text":"old"}');
    const [oldFile, newFile] = [`${path}.${randomUUID()}.tmp`, `${path}.${randomUUID()}.tmp`];
    for (const halfWritten of [oldFile, newFile]) await writeFile(halfWritten, '{"text":"ne');
    await utimes(oldFile, 0, 0);
    expect(await readWhole(path, anyText)).toEqual({ text: 'old' });
    await writeWhole(path, '{"text":"newer"}');
    expect(await readWhole(path, anyText)).toEqual({ text: 'newer' });
    // A file that another process may still be writing must stay.
    await removeHalfWritten(folder);
    expect((await readdir(folder)).map((name) => join(folder, name))).toEqual([path, newFile]);
  });

  it('A12: concurrent writes of one file from many processes all succeed', async () => {
    const path = join(await temporaryFolder(), 'a.json');
    await Promise.all(Array.from({ length: 20 }, (_, n) => writeWhole(path, JSON.stringify({ text: String(n) }))));
    expect(await readWhole(path, anyText)).not.toBeNull();
    expect(await readdir(join(path, '..'))).toEqual(['a.json']);
  });

  it('an unreadable file is moved aside, not deleted', async () => {
    for (const damagedContent of ['{"text":', '', '{"text":1}', 'null', '\0\0\0\0']) {
      const folder = await temporaryFolder();
      const path = join(folder, 'a.json');
      await writeFile(path, damagedContent);
      expect(await readWhole(path, anyText)).toBeNull();
      const names = await readdir(folder);
      expect(names).toEqual([expect.stringMatching(/^a\.json\.damaged-\d+$/)]);
      expect(await readFile(join(folder, names[0] ?? ''), 'utf8')).toBe(damagedContent);
      expect(await readWhole(path, anyText)).toBeNull();
    }
  });

  it('state files are readable for their owner only', async () => {
    const folder = join(await temporaryFolder(), 'new', 'below');
    const store = await openStore(folder);
    await store.setIdentity({
      server: 'http://localhost',
      agent_token: 'secret',
      device: { uuid: randomUUID(), name: 'Laptop' },
      holder: { first_name: 'Ann', masked_email: 'a•••@example.org' },
    });
    await store.queue(detectionAt('2026-01-01T00:00:00Z'));
    expect(await modeOf(folder)).toBe(0o700);
    expect(await modeOf(join(folder, 'detections'))).toBe(0o700);
    expect(await modeOf(join(folder, 'identity.json'))).toBe(0o600);
    for (const name of await readdir(join(folder, 'detections'))) expect(await modeOf(join(folder, 'detections', name))).toBe(0o600);
  });

  it('state files in an existing folder are readable for their owner only', async () => {
    const folder = join(await temporaryFolder(), 'open');
    await mkdir(folder);
    await chmod(folder, 0o755);
    const store = await openStore(folder);
    await store.setIdentity({
      server: 'http://localhost',
      agent_token: 'secret',
      device: { uuid: randomUUID(), name: 'Laptop' },
      holder: { first_name: 'Ann', masked_email: 'a•••@example.org' },
    });
    expect(await modeOf(join(folder, 'identity.json'))).toBe(0o600);
    expect(await modeOf(join(folder, 'detections'))).toBe(0o700);
  });
});

describe('the store', () => {
  it('[P4.5] queued detections are listed by time until acknowledged', async () => {
    const folder = await temporaryFolder();
    const store = await openStore(folder);
    const [firstDetection, secondDetection, thirdDetection] = [
      '2026-01-01T00:00:00.001Z',
      '2026-01-01T00:00:00.010Z',
      '2026-02-01T00:00:00Z',
    ].map(detectionAt);
    if (!firstDetection || !secondDetection || !thirdDetection) throw new Error('three are needed');
    for (const detection of [thirdDetection, firstDetection, secondDetection]) await store.queue(detection);
    expect(await (await openStore(folder)).queued()).toEqual([firstDetection, secondDetection, thirdDetection]);
    await store.queue(secondDetection);
    expect(await store.queued()).toHaveLength(3);
    await store.acknowledged(secondDetection);
    await store.acknowledged(secondDetection);
    expect(await store.queued()).toEqual([firstDetection, thirdDetection]);
  });

  it('a sealed file copied over another one or from another computer is refused', async () => {
    const [firstFolder, secondFolder] = [await temporaryFolder(), await temporaryFolder()];
    const [store, otherStore] = [await openStore(firstFolder), await openStore(secondFolder)];
    await store.setFreePlan('chosen');
    await otherStore.setFreePlan('removed');
    for (const suffix of ['', '.copy'])
      await copyFile(join(secondFolder, `free-plan.json${suffix}`), join(firstFolder, `free-plan.json${suffix}`));
    expect(await store.freePlan()).toBeNull();
    await store.setFreePlan('chosen');
    for (const suffix of ['', '.copy'])
      await copyFile(join(firstFolder, `free-plan.json${suffix}`), join(firstFolder, `pause.json${suffix}`));
    expect(await store.pause()).toBeNull();
    const detection = detectionAt('2026-01-01T00:00:00Z');
    await store.queue(detection);
    const [name = ''] = await readdir(join(firstFolder, 'detections'));
    await copyFile(join(firstFolder, 'detections', name), join(firstFolder, 'detections', `0-${name}`));
    expect(await store.queued()).toEqual([detection]);
    expect(await (await openStore(firstFolder)).freePlan()).toBe('chosen');
  });

  it('the checksum key is private, and one lost copy is repaired', async () => {
    const folder = await temporaryFolder();
    await (await openStore(folder)).setFreePlan('chosen');
    for (const name of ['state.key', 'state.key.copy']) expect(await modeOf(join(folder, name))).toBe(0o600);
    await writeFile(join(folder, 'state.key'), 'short');
    expect(await (await openStore(folder)).freePlan()).toBe('chosen');
  });

  it('concurrent writes to the store happen in order', async () => {
    const store = await openStore(await temporaryFolder());
    await Promise.all(Array.from({ length: 20 }, (_, n) => store.setPinTries({ wrong: n, locks: 0, lock: null })));
    expect(await store.pinTries()).toMatchObject({ wrong: 19 });
  });

  it('a damaged queue entry does not block the others', async () => {
    const folder = await temporaryFolder();
    const store = await openStore(folder);
    const validDetection = detectionAt('2026-01-01T00:00:00Z');
    await store.queue(validDetection);
    await writeFile(join(folder, 'detections', '0-broken.json'), '{');
    expect(await store.queued()).toEqual([validDetection]);
    expect(await store.queued()).toEqual([validDetection]);
  });

  it('a policy changed on the disk is refused and logged, and the last good copy is used', async () => {
    const folder = await temporaryFolder();
    const rejectedNames: string[] = [];
    const store = await openStore(folder, (name) => void rejectedNames.push(name));
    const [link, policyKey, definitions] = [newKeyPair(), newKeyPair(), newKeyPair()];
    const policy: DevicePolicy = {
      device: randomUUID(),
      epoch: 1,
      version: 3,
      issued: '2026-01-01T00:00:00Z',
      device_name: 'Laptop',
      policy: { uuid: '00000000-0000-4000-8000-000000000001', name: 'Strict' },
      actions: { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' },
      block_likely: true,
      allow: [],
      relatives: [],
      holder: { first_name: 'Ann', masked_email: 'a•••@example.org' },
      pin: null,
      resume: null,
      browsers: false,
      notification_origins: [],
      resolver: null,
      lock: false,
      pin_shown: false,
      emergency_stop: null,
      isolation: null,
      code_secret: null,
      appointment: null,
      unlisted: noUnlistedPolicy,
    };
    const document = signDocument(policy, policyKey);
    await store.savePolicy(document);
    expect(await store.policy()).toBeNull();
    const keys = { link: link.public_key, policy: policyKey.public_key, definitions: definitions.public_key };
    await store.pinKeys({ public_url: 'http://localhost', keys });
    expect(await store.policy()).toEqual(policy);

    const path = join(folder, 'policy.json');
    const content = await readFile(path, 'utf8');
    for (const changed of [
      content.replaceAll('block', 'allow').replaceAll('allow_likely', 'block_likely'),
      content.replace('Laptop', 'Laptoq'),
      content.slice(content.indexOf('\n') + 1),
      content.slice(0, -9),
      '',
    ]) {
      await writeFile(path, changed);
      expect(await store.policy()).toEqual(policy);
      expect(await readFile(path, 'utf8')).toBe(content);
    }
    await rm(path);
    expect(await store.policy()).toEqual(policy);
    expect(rejectedNames).toEqual(Array.from({ length: 6 }, () => 'policy.json'));
    for (const copyPath of [path, `${path}.copy`]) await writeFile(copyPath, content.replace('Laptop', 'Laptoq'));
    expect(await store.policy()).toBeNull();
    await store.savePolicy(signDocument(policy, definitions));
    expect(await store.policy()).toBeNull();
    await writeFile(path, content);
    expect(await store.policy()).toEqual(policy);
  });

  it('becoming another device forgets the former policy, and used links stay used', async () => {
    const folder = await temporaryFolder();
    const store = await openStore(folder);
    await store.savePolicy(signDocument({}, newKeyPair()));
    const identity = {
      server: 'http://localhost',
      agent_token: 'secret',
      device: { uuid: randomUUID(), name: 'Laptop' },
      holder: { first_name: 'Ann', masked_email: 'a•••@example.org' },
    };
    await store.setIdentity(identity);
    await store.useNonce('one');
    expect(await readdir(folder)).not.toContain('policy.json');
    const reopenedStore = await openStore(folder);
    expect(await reopenedStore.identity()).toEqual(identity);
    expect([await reopenedStore.nonceUsed('one'), await reopenedStore.nonceUsed('two')]).toEqual([true, false]);
    await reopenedStore.forgetIdentity();
    expect(await store.identity()).toBeNull();
  });
});

it('a started uninstall counts for ten minutes, also after the clock was set back, and not after it was cancelled', async () => {
  const store = await openStore(await temporaryFolder());
  const now = Date.now();
  expect(await store.isUninstalling(now)).toBe(false);
  await store.beginUninstall(now);
  expect(await store.isUninstalling(now + 10 * 60_000 - 1)).toBe(true);
  expect(await store.isUninstalling(now + 10 * 60_000)).toBe(false);
  expect(await store.isUninstalling(now - 10 * 60_000)).toBe(false);
  await store.cancelUninstall();
  expect(await store.isUninstalling(now)).toBe(false);
});
