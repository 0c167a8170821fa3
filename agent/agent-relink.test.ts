import { describe, expect, it } from 'vitest';
import { linked, type TestAgent } from './testing/agent.ts';
import { browserOf } from './testing/browser.ts';
import { type TestServer, testPin } from './testing/server.ts';

const handOver = async ({ agent }: TestAgent, server: TestServer, link: object) => {
  const answer = await fetch(`http://127.0.0.1:${agent.port}/api/uri`, {
    method: 'POST',
    headers: { origin: server.url, 'content-type': 'application/json' },
    body: JSON.stringify(link),
  });
  return { status: answer.status, ...((await answer.json()) as { code?: string }) };
};

describe('[P4.6] a computer that belongs to an account', () => {
  it('is linked to another one by a code only with the PIN', async () => {
    const { server, test } = await linked();
    await expect(test.agent.link.byCode('BCDE-FGHJ')).rejects.toThrow('type the Admin PIN');
    await expect(test.agent.link.byCode('BCDE-FGHJ', '000000')).rejects.toThrow('That is not the PIN');
    expect(server.enrolled).toEqual(['ABCD-EFGH']);
    await test.agent.link.byCode('BCDE-FGHJ', testPin);
    expect(server.enrolled).toEqual(['ABCD-EFGH', 'BCDE-FGHJ']);
  });

  it('is linked by a code in its window only with the PIN', async () => {
    const { server, test } = await linked();
    const browser = await browserOf(test);
    expect((await browser.press('link', { code: 'BCDE-FGHJ' })).text).toContain('type the Admin PIN');
    expect((await browser.press('other', { code: 'BCDE-FGHJ', pin: '000000' })).text).toContain('That is not the PIN');
    expect(server.enrolled).toEqual(['ABCD-EFGH']);
    await browser.press('other', { code: 'BCDE-FGHJ', pin: testPin });
    expect(server.enrolled).toEqual(['ABCD-EFGH', 'BCDE-FGHJ']);
  });

  it('asks for the PIN in its window when it is handed a link, and takes the link then', async () => {
    const { server, test } = await linked();
    const link = server.link({ code: 'BCDEFGHJ' });
    expect(await handOver(test, server, link)).toEqual({ status: 409, code: 'pin_needed', error: expect.any(String) });
    expect(server.enrolled).toEqual(['ABCD-EFGH']);
    expect(test.os.opened.at(-1)).toContain('/ui/other?t=');
    const browser = await browserOf(test);
    expect(await browser.page('other')).toContain('Somebody wants to connect this computer to another account.');
    expect((await browser.press('other', { pin: '111111' })).text).toContain('That is not the PIN');
    await browser.press('other', { pin: testPin });
    expect(server.enrolled).toEqual(['ABCD-EFGH', 'BCDE-FGHJ']);
  });

  it('goes where the typed code says, whatever link was handed over meanwhile', async () => {
    const { server, test } = await linked();
    const browser = await browserOf(test);
    expect(await browser.page('other')).toContain('name="code"');
    expect(await handOver(test, server, server.link({ code: 'STRANGER' }))).toMatchObject({ code: 'pin_needed' });
    await browser.press('other', { code: 'BCDE-FGHJ', pin: testPin });
    expect(server.enrolled).toEqual(['ABCD-EFGH', 'BCDE-FGHJ']);
  });

  it('takes the link that the page was drawn for, and no other that came meanwhile', async () => {
    const { server, test } = await linked();
    const browser = await browserOf(test);
    await handOver(test, server, server.link({ code: 'BCDEFGHJ' }));
    const handed = /name="handed" value="([^"]+)"/.exec(await browser.page('other'))?.[1] ?? '';
    await handOver(test, server, server.link({ code: 'STRANGER' }));
    for (const other of [{ handed }, { handed: '' }])
      expect((await browser.press('other', { ...other, pin: testPin })).text).toContain('Look at this page once more');
    expect(server.enrolled).toEqual(['ABCD-EFGH']);
  });

  it('forgets a link that is not wanted, and asks for a code then', async () => {
    const { server, test } = await linked();
    const browser = await browserOf(test);
    await handOver(test, server, server.link({ code: 'STRANGER' }));
    expect(await browser.page('other')).not.toContain('name="code"');
    const { text } = await browser.press('forget');
    expect(text).toContain('Nobody is connected by that link.');
    expect(text).toContain('name="code"');
    await browser.press('other', { code: 'BCDE-FGHJ', pin: testPin });
    expect(server.enrolled).toEqual(['ABCD-EFGH', 'BCDE-FGHJ']);
  });

  it('does not hold a link for the PIN that is forged', async () => {
    const { server, test } = await linked();
    const { uri } = server.link();
    expect(await handOver(test, server, { uri, signature: server.link().signature })).toMatchObject({ status: 409, code: 'bad_signature' });
    expect(test.os.opened).toEqual([]);
  });
});
