import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { windowOf } from '@porchlight/contract/one-time-codes.ts';
import { oneTimeCode } from '@porchlight/definitions/one-time-code.ts';
import { expect, onTestFinished, test } from 'vitest';
import { uninstallExit } from '../cli/uninstall.ts';
import { serverForTest, temporaryFolder } from '../testing/agent.ts';
import { browserAt } from '../testing/browser.ts';
import { notEnough } from '../testing/locks.ts';
import { runAgent } from '../testing/process.ts';
import { idler, run } from '../testing/programs.ts';
import { testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

test.skipIf(process.platform !== 'linux')(
  '[P10.5] [P10.7] a real agent on Linux without its server: after a stop the known PIN neither pauses, restores, undoes nor uninstalls, killed and restarted too, and a code uninstalls once',
  async () => {
    const server = await serverForTest();
    const name = `AnyDesk-${randomUUID()}`;
    const anydesk = server.definitions.definitions.filter(({ identifier }) => identifier === 'anydesk');
    server.setDefinitions({
      definitions: anydesk.map((d) => ({ ...d, programs: { ...d.programs, names: [{ os: 'linux' as const, name }] } })),
    });
    server.setPolicy({ code_secret: server.code_secret.id });
    const folder = join(await temporaryFolder(), 'data');
    const start = (args: string[], input = '') => {
      const started = runAgent(server, folder, args, input);
      onTestFinished(() => void started.child.kill('SIGKILL'));
      return started;
    };
    const uninstall = async (typed: string) => {
      const { ended, output } = start(['--uninstall'], `${typed}\n`);
      return { exit: await ended, output: output() };
    };
    const first = start(['--code', 'ABCD-EFGH']);
    await first.printed('Porchlight protects this computer');
    await until('the secret', () => server.calls.includes('GET /agent/code-secret'));
    await until('the next poll', () => server.policy_in_force === server.policy.version);
    await server.down();

    const program = run(await idler(name), ['60']);
    await until('the end', () => program.signalCode === 'SIGKILL');
    await first.printed('See what happened: ');
    first.child.kill('SIGKILL');
    await first.ended;
    const second = start([]);
    await second.printed('Porchlight protects this computer');
    const again = run(await idler(name), ['60']);
    await until('the next end', () => again.signalCode === 'SIGKILL');
    await second.printed('See what happened: ');
    const browser = await browserAt(/See what happened: (\S+)/.exec(second.output())?.[1] ?? '');
    expect((await browser.press('pause', { minutes: '10', pin: testPin, understood: 'yes' })).text).toContain(notEnough);
    expect((await browser.press('found', { entry: 'none', pin: testPin })).text).toContain(notEnough);
    expect((await browser.press('undo', { pin: testPin })).text).toContain(notEnough);
    expect(await uninstall(testPin)).toEqual({ exit: uninstallExit.pin, output: expect.stringContaining(notEnough) });
    const code = oneTimeCode(
      server.code_secret.secret,
      { device: server.device, purpose: 'uninstall', program: '' },
      windowOf(Date.now()),
      3,
    );
    expect((await browser.press('pause', { minutes: '10', pin: code, understood: 'yes' })).text).toContain('That code doesn’t work');
    expect(await uninstall(code)).toMatchObject({ exit: uninstallExit.done });
    expect(await uninstall(code)).toEqual({ exit: uninstallExit.pin, output: expect.stringContaining('That code doesn’t work') });
  },
);
