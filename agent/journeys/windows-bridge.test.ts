import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Agent } from '../agent.ts';
import { takeOver } from '../lifecycle/takeover.ts';
import { dialAnyone, stayConnected, tellService } from '../os/windows/window/ask-service.ts';
import { openBridge } from '../os/windows/window/bridge.ts';
import { bridges } from '../os/windows/window/bridged.ts';
import { temporaryFolder } from '../testing/agent.ts';
import { until } from '../testing/until.ts';

test('an update that is taken back keeps the window working: the leaving agent closes only its own bridge', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'bridge');
  const [shown, blocked, told]: string[][] = [[], [], []];
  const all = bridges();
  let starts = 0;
  const start = async (): Promise<Agent> => {
    const number = ++starts;
    const mine = await openBridge({ open: () => {}, blocked: (file) => void blocked?.push(`${number} ${file}`), atScreen: () => 2 }, path);
    const agent: Pick<Agent, 'ready' | 'stepBack' | 'close'> = {
      ready: () => true,
      stepBack: async () => void told?.push(`${number} stepped back`),
      close: async (why) => void told?.push(`${number} closed ${why ?? 'for another'}`),
    };
    return all.with(agent as Agent, mine, () => told?.push(`${number} handed over`));
  };
  const life = await takeOver({ folder, start, successor: null, installed: false });
  stayConnected(2, (url) => void shown?.push(url), dialAnyone, path);
  await life?.stepBack();
  expect(all.show('http://127.0.0.1:23407/ui/?t=1')).toBe(false);
  await life?.takeBack();
  onTestFinished(() => life?.agent().close());
  expect(told).toEqual(['1 handed over', '1 stepped back', '1 closed for another']);
  await until('the page', () => all.show('http://127.0.0.1:23407/ui/?t=2') && shown?.length);
  expect(await tellService({ kind: 'blocked', path: 'C:\\AnyDesk.exe' }, dialAnyone, path)).toBe(true);
  await until('what was blocked', () => blocked?.length);
  expect(blocked).toEqual(['2 C:\\AnyDesk.exe']);
});
