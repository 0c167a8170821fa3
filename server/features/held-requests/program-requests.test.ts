import { hour } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allowedIn, firstHourFamily } from '../../testing/first-hour-family.ts';
import { type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const family = (options?: { guardian?: boolean }) => firstHourFamily(server, options);

describe('a program that somebody at the computer asks for', () => {
  const asks = (ann: Awaited<ReturnType<typeof family>>, name = 'AnyDesk') =>
    server.call('POST /agent/events', {
      token: ann.device.agent,
      body: { events: [{ uuid: crypto.randomUUID(), time: server.clock.now().toISOString(), reported: { kind: 'asked', name } }] },
    });

  test('[P9.1] [P10.1] is a question to the guardians, in one message, and a yes allows it for an hour', async () => {
    const ann = await family();
    await ann.stops();
    for (const _press of [1, 2, 3]) await asks(ann);
    const [request, ...others] = await ann.requests();
    expect(others).toEqual([]);
    expect(request).toMatchObject({ state: 'open', wants: ['Someone at Den PC wants to use AnyDesk.'] });
    expect((await ann.mails(/use AnyDesk/)).map(({ subject }) => subject)).toEqual([
      'Please answer: someone at Den PC wants to use AnyDesk',
    ]);
    expect((await ann.answer(request?.uuid, 'yes')).body).toMatchObject({ state: 'done' });
    expect(allowedIn(await ann.policy())).toEqual(['anydesk']);
    server.clock.turn(hour);
    expect((await ann.policy()).allow).toEqual([]);
  });

  test('[P10.1] that was allowed meanwhile by *Allow for an hour* stays so after a yes, and a program that nothing stopped is not asked about', async () => {
    const ann = await family();
    await ann.stops();
    await asks(ann);
    await asks(ann, 'TeamViewer');
    const [incident] = await ann.incidents();
    await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'allow_hour' });
    const [request, ...others] = await ann.requests();
    expect(others).toEqual([]);
    expect((await ann.answer(request?.uuid, 'yes')).body).toMatchObject({ state: 'done' });
    expect(allowedIn(await ann.policy())).toEqual(['anydesk']);
  });

  test('[P10.1] can still be answered after *It’s over*, since no call would be made again', async () => {
    const ann = await family();
    await ann.stops();
    await asks(ann);
    const [incident] = await ann.incidents();
    await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'over' });
    const [request] = await ann.requests();
    expect(request?.state).toBe('open');
    expect((await ann.answer(request?.uuid, 'yes')).body).toMatchObject({ state: 'done' });
    expect(allowedIn(await ann.policy())).toEqual(['anydesk']);
  });

  test('[P9.1] opens an incident where there is no guardian to ask, and the holder reads of it', async () => {
    const ann = await family({ guardian: false });
    await ann.stops({ start: 'system' });
    await asks(ann);
    expect(await ann.incidents()).toMatchObject([{ opener: 'asked' }]);
    expect(await ann.requests()).toEqual([]);
    expect((await server.mailsTo(ann.email)).map(({ subject }) => subject)).toContain('Somebody on Den PC asked to use AnyDesk');
  });
});

describe('the PIN that was shown', () => {
  test('[P9.1] is in the policy for a day where there is a guardian, at once and by a newer version', async () => {
    const [ann, alone] = [await family(), await family({ guardian: false })];
    const { version, pin_shown } = await ann.policy();
    expect(pin_shown).toBe(false);
    for (const { call } of [ann, alone]) expect((await call('GET /web/bypasspassword')).status).toBe(200);
    const shown = await ann.policy();
    expect(shown.pin_shown).toBe(true);
    expect(shown.version).toBeGreaterThan(version);
    expect((await alone.policy()).pin_shown).toBe(false);
    server.clock.turn(24 * hour);
    await server.app.worker.idle();
    const later = await ann.policy();
    expect(later.pin_shown).toBe(false);
    expect(later.version).toBeGreaterThan(shown.version);
  });

  test('[P9.1] is not in the policy after a yes to showing it', async () => {
    const ann = await family();
    await ann.stops();
    const refused = await ann.call('GET /web/bypasspassword');
    await ann.answer((refused.body as unknown as { request: string }).request, 'yes');
    expect((await ann.call('GET /web/bypasspassword')).status).toBe(200);
    expect((await ann.policy()).pin_shown).toBe(false);
  });
});
