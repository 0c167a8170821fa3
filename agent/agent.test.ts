import { newKeyPair } from '@porchlight/definitions/signature.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { definitions, until } from './testing/server.ts';
import { type AgentWorld, agentWorld } from './testing/world.ts';

let world: AgentWorld;
beforeEach(async () => {
  world = await agentWorld();
});
afterEach(() => world.close());

const reported = (count: number) => until(`${count} reported`, () => world.server.stored.size === count);

test('until it is linked it blocks nothing', async () => {
  const process = world.os.start({ name: 'AnyDesk' });
  await world.link();
  world.os.start({ name: 'something-else' });
  // What was running before is looked at as soon as there is a policy.
  await until('AnyDesk to be ended', () => !world.os.running.has(process));
  await reported(1);
  expect(world.said[0]).toContain('not linked yet');
});

describe('linked', () => {
  beforeEach(() => world.link());

  test('a program that matches is ended, kept, told, shown once, and forgotten when the server has it', async () => {
    const process = world.os.start({ name: 'AnyDesk' });
    await reported(1);
    expect(world.os.running.has(process)).toBe(false);
    const [detection] = [...world.server.stored.values()];
    expect(detection).toMatchObject({
      name: 'AnyDesk',
      identifier: 'anydesk',
      category: 'RemoteControl',
      blocked: true,
      certainty: 'likely',
      details: '/opt/AnyDesk',
    });
    await until('the queue to be empty', async () => (await world.store.queued()).length === 0);
    expect(world.os.opened).toHaveLength(1);
  });

  test('other programs are left alone, also when the name is part of theirs', async () => {
    const others = ['notanydesk', 'anydesk2', 'bash', 'AnyDesk.sh'].map((name) => world.os.start({ name }));
    world.os.start({ name: 'AnyDesk' });
    await reported(1);
    for (const process of others) expect(world.os.running.has(process)).toBe(true);
  });

  test('repeats within ten minutes are reported each, and open no second window; later one opens', async () => {
    for (let i = 1; i <= 3; i++) {
      world.os.start({ name: 'AnyDesk' });
      await reported(i);
    }
    expect(world.os.opened).toHaveLength(1);
    world.clock.turn(600_000);
    world.os.start({ name: 'AnyDesk' });
    await reported(4);
    expect(world.os.opened).toHaveLength(2);
  });

  test('what cannot be ended is reported as not blocked, once, and as blocked when it could be', async () => {
    world.os.refuses = true;
    const process = world.os.start({ name: 'AnyDesk' });
    await reported(1);
    expect([...world.server.stored.values()][0]?.blocked).toBe(false);
    world.os.refuses = false;
    await reported(2);
    expect([...world.server.stored.values()].map((d) => d.blocked)).toEqual([false, true]);
    expect(world.os.running.has(process)).toBe(false);
  });

  test('with the server gone it is ended all the same, kept, and sent when the server is back', async () => {
    await world.server.stop();
    world.os.start({ name: 'AnyDesk' });
    await until('it to be on the disk', async () => (await world.store.queued()).length === 1);
    await world.server.start();
    await reported(1);
    await until('the queue to be empty', async () => (await world.store.queued()).length === 0);
  });

  test('permissive tells and does not stop', async () => {
    Object.assign(world.server.policy, {
      version: 2,
      block_likely: false,
      actions: { RemoteControl: 'alert', DeceptiveUtility: 'alert', ScamWebsite: 'block' },
    });
    world.server.changed();
    await until('the new policy', async () => (await world.store.policy())?.version === 2);
    const process = world.os.start({ name: 'AnyDesk' });
    await reported(1);
    expect(world.os.running.has(process)).toBe(true);
    expect([...world.server.stored.values()][0]?.blocked).toBe(false);
  });

  test("the person's own exception wins", async () => {
    Object.assign(world.server.policy, { version: 2, allow: [{ type: 'definition', identifier: 'anydesk', until: null }] });
    world.server.changed();
    await until('the new policy', async () => (await world.store.policy())?.version === 2);
    const allowed = world.os.start({ name: 'AnyDesk' });
    world.os.start({ name: 'PcFixer' });
    await reported(1);
    expect(world.os.running.has(allowed)).toBe(true);
    expect([...world.server.stored.values()][0]?.identifier).toBe('fixer');
  });

  test('definitions and policies that are older, or signed by another key, are not taken', async () => {
    world.server.set = { ...definitions(2), definitions: [] };
    world.server.keys.definitions = newKeyPair();
    world.server.changed();
    await until('it to say so', () => world.said.some((s) => s.includes('not signed by our server')));
    expect(await world.store.definitions()).toMatchObject({ version: 1 });
    world.os.start({ name: 'AnyDesk' });
    await reported(1);
  });

  test('a device that was removed says so, still stops remote control and nothing else, and can be linked again', async () => {
    world.server.refuse = { status: 410, code: 'device_removed' };
    world.server.changed();
    await until('it to say so', () => world.said.some((s) => s.includes('was removed')));
    expect(await world.store.identity()).toBeNull();
    const [remote, fixer] = [world.os.start({ name: 'AnyDesk' }), world.os.start({ name: 'PcFixer' })];
    await until('AnyDesk to be ended', () => !world.os.running.has(remote));
    expect(world.os.running.has(fixer)).toBe(true);
    world.server.refuse = null;
    await world.link();
    await reported(2);
  });
});
