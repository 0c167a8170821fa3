import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { linked, type TestAgent } from '../../testing/agent.ts';
import { browserOf } from '../../testing/browser.ts';
import { sitesWithoutSystem } from '../../testing/dns-command.ts';
import { fakeSystem } from '../../testing/fake-os.ts';
import { testPin } from '../../testing/server.ts';

interface Asked {
  method?: string;
  host?: string;
  headers?: Record<string, string>;
  body?: string;
}
const ask = ({ agent }: TestAgent, path: string, { method = 'GET', host = `127.0.0.1:${agent.port}`, headers = {}, body }: Asked = {}) =>
  new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port: agent.port, path, method, headers: { host, ...headers } }, (answer) => {
      let text = '';
      answer.on('data', (part: Buffer) => (text += part.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    asking.once('error', reject).end(body);
  });
const pause = (proof: string) => new URLSearchParams({ minutes: '60', pin: testPin, understood: 'yes', proof }).toString();
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const proofIn = (page: string) => /name="proof" value="([^"]+)"/.exec(page)?.[1] ?? '';

describe('the window against other pages and programs', () => {
  it('a window address works once within ten minutes, and a HEAD request does not use it up', async () => {
    const { test } = await linked();
    const newUrl = () => {
      test.agent.showWindow();
      return new URL(test.os.opened.at(-1) ?? '');
    };
    const { pathname, search } = newUrl();
    expect(search).toMatch(/^\?t=[\w-]{32}$/);
    expect((await ask(test, pathname + search, { method: 'HEAD' })).status).toBe(405);
    expect((await ask(test, `${pathname}${search}x`)).status).toBe(403);
    const opened = await ask(test, pathname + search);
    expect(opened.status).toBe(303);
    expect(opened.headers.location).toMatch(/^\/ui\/[\w-]{32}\/$/);
    expect(opened.headers['set-cookie']).toEqual([
      `porchlight_window=${/=([\w-]{32});/.exec(String(opened.headers['set-cookie']))?.[1]}; HttpOnly; SameSite=Strict; Path=${opened.headers.location}`,
    ]);
    expect((await ask(test, pathname + search)).status).toBe(403);
    const expiredUrl = newUrl();
    test.clock.now = new Date(test.clock.now.getTime() + 10 * 60_000);
    expect((await ask(test, expiredUrl.pathname + expiredUrl.search)).status).toBe(403);
  });

  it('A12: a window address works only for the user to whom it was shown, and another user’s try does not use it up', async () => {
    const viewerCalls: unknown[] = [];
    const { test } = await linked({ ...fakeSystem(), isForViewer: async (...args) => viewerCalls.push(args) > 1 });
    test.agent.showWindow();
    const url = test.os.opened.at(-1) ?? '';
    const { pathname, search, port } = new URL(url);
    expect((await ask(test, pathname + search)).status).toBe(403);
    expect((await ask(test, pathname + search)).status).toBe(303);
    expect(viewerCalls).toEqual([1, 2].map(() => [url, { from: expect.any(Number), to: Number(port) }]));
  });

  it('the window refuses rebound hosts and foreign origins, even with a valid cookie', async () => {
    const { server, test } = await linked();
    const { folder, cookie, page } = await browserOf(test);
    const proof = proofIn(await page('pause'));
    for (const host of ['evil.example', `evil.example:${test.agent.port}`, `127.0.0.1.evil.example:${test.agent.port}`, '127.0.0.1:1']) {
      expect((await ask(test, folder, { host, headers: { cookie } })).status, host).toBe(403);
      const headers = { cookie, ...form, origin: `http://${host}` };
      expect((await ask(test, `${folder}pause`, { method: 'POST', host, headers, body: pause(proof) })).status).not.toBe(303);
    }
    for (const origin of ['https://evil.example', server.url, 'http://127.0.0.1:8080', 'http://localhost:8080', 'null']) {
      const get = await ask(test, folder, { headers: { cookie, origin } });
      expect([get.status, get.headers['access-control-allow-origin']], origin).toEqual([403, undefined]);
      const post = { method: 'POST', headers: { cookie, ...form, origin }, body: pause(proof) };
      expect((await ask(test, `${folder}pause`, post)).status, origin).toBe(403);
      const preflight = { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } };
      expect((await ask(test, `${folder}pause`, preflight)).headers['access-control-allow-origin'], origin).toBeUndefined();
    }
    expect(server.events).toEqual([]);
  });

  it('a GET to the window changes nothing', async () => {
    const { server, test } = await linked(fakeSystem(), { sites: sitesWithoutSystem });
    const { folder, cookie, page } = await browserOf(test);
    const proof = proofIn(await page('pause'));
    for (const name of ['pause', 'resume', 'ask', 'link', 'other', 'found'])
      await ask(test, `${folder}${name}?${pause(proof)}&code=BCDE-FGHJ`, { headers: { cookie } });
    expect(await page()).toContain('This computer is protected');
    expect([server.events, server.enrolled]).toEqual([[], ['ABCD-EFGH']]);
  });

  it('each window has an unguessable path, and its cookie opens no other window', async () => {
    const { test } = await linked();
    const [firstBrowser, otherBrowser] = [await browserOf(test), await browserOf(test)];
    for (const [folder, cookie] of [
      [firstBrowser.folder, otherBrowser.cookie],
      [otherBrowser.folder, firstBrowser.cookie],
      [firstBrowser.folder, ''],
      ['/ui/', firstBrowser.cookie],
      [`/ui/${'x'.repeat(32)}/`, firstBrowser.cookie],
    ] as const) {
      for (const name of ['', 'settings', 'live.js', 'nothing'])
        expect((await ask(test, `${folder}${name}`, { headers: { cookie } })).status).toBe(403);
    }
    expect((await ask(test, `${firstBrowser.folder}settings/more`, { headers: { cookie: firstBrowser.cookie } })).status).toBe(404);
  });

  it('the window’s headers forbid scripts, framing, embedding and caching', async () => {
    const { test } = await linked();
    const { folder, cookie } = await browserOf(test);
    for (const name of ['', 'pause', 'found', 'settings', 'uninstall', 'other', 'live.js', 'nothing', 'x/y']) {
      const { headers, text } = await ask(test, `${folder}${name}`, { headers: { cookie } });
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("form-action 'self'");
      expect(policy).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      expect(text).not.toMatch(/<script>|<script [^>]*>[^<]|\son\w+=|\sstyle=|javascript:/);
    }
  });

  it('the window accepts only its own forms, up to 4 KB', async () => {
    const { server, test } = await linked();
    const { folder, cookie, page } = await browserOf(test);
    const proof = proofIn(await page('pause'));
    const post = (name: string, body: string) =>
      ask(test, `${folder}${name}`, { method: 'POST', headers: { cookie, ...form, origin: `http://127.0.0.1:${test.agent.port}` }, body });
    for (const name of ['constructor', 'toString', '__proto__', 'settings', '', 'pause/x'])
      expect((await post(name, pause(proof))).status, name).toBe(name === 'pause/x' ? 404 : 403);
    await expect(post('pause', `${pause(proof)}&more=${'x'.repeat(5000)}`)).rejects.toThrow();
    expect(server.enrolled).toEqual(['ABCD-EFGH']);
  });
});
