import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { handOverOf } from '../../lib/deep-link.ts';
import { temporaryFolder } from '../../testing/agent.ts';
import { until } from '../../testing/until.ts';
import { dialAnyone, sendToService, stayConnected } from './window/ask-service.ts';
import { openBridge } from './window/bridge.ts';
import { pageCommand } from './window/open-page.ts';

describe('the user’s desktop', () => {
  it('only a page of the agent is shown, in the session at the screen, and blocked files are reported', async () => {
    const path = join(await temporaryFolder(), 'bridge');
    const [blockedFiles, shownUrls, otherSessionUrls]: string[][] = [[], [], []];
    let helpCount = 0;
    const bridge = await openBridge(
      { open: () => {}, help: () => void helpCount++, blocked: (file) => void blockedFiles?.push(file), atScreen: () => 2 },
      path,
    );
    onTestFinished(() => bridge.close());
    expect(bridge.show('http://127.0.0.1:23407/ui/?t=1')).toBe(false);
    stayConnected(2, (url) => void shownUrls?.push(url), dialAnyone, path);
    stayConnected(3, (url) => void otherSessionUrls?.push(url), dialAnyone, path);
    await until('the page', () => bridge.show('http://127.0.0.1:23407/ui/?t=2') && shownUrls?.length);
    bridge.show('https://example.org/ui/');
    expect(await sendToService({ kind: 'blocked', path: 'C:\\AnyDesk.exe' }, dialAnyone, path)).toBe(true);
    await until('what was blocked', () => blockedFiles?.length);
    expect(helpCount).toBe(0);
    expect(await sendToService({ kind: 'help' }, dialAnyone, path)).toBe(true);
    await until('the call for help', () => helpCount === 1);
    expect([shownUrls?.every((url) => url.startsWith('http://127.0.0.1:')), blockedFiles]).toEqual([true, ['C:\\AnyDesk.exe']]);
  });

  it('a page opens in Edge without toolbars, or in the default browser if Edge is missing', () => {
    const env = { ProgramFiles: 'C:\\Program Files', SystemRoot: 'C:\\Windows' };
    expect(pageCommand('u', env, () => true)).toEqual({
      file: 'C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe',
      args: ['--app=u', '--no-first-run'],
    });
    expect(pageCommand('u', env, () => false).file).toBe('C:\\Windows\\System32\\rundll32.exe');
  });

  it.each([
    ['porchlight://link?server=https%3A%2F%2Fa.example&code=C&exp=1&nonce=n&signature=ab-_', true],
    ['porchlight://link?server=https%3A%2F%2Fa.example&code=C&exp=1&nonce=n', false],
    ['porchlight://open', false],
    ['porchlight://link?server=x&code=C&exp=1&nonce=n&signature=%zz', false],
  ])('the link %s is accepted for linking the computer to an account: %s', (link, isAccepted) => {
    expect(handOverOf(link) !== null).toBe(isAccepted);
  });
});
