import { describe, expect, it } from 'vitest';
import { linked, type TestAgent } from '../testing/agent.ts';
import { type Browser, browserOf, sayYes } from '../testing/browser.ts';
import { type TestServer, testPin } from '../testing/server.ts';

const handOver = async ({ agent }: TestAgent, server: TestServer, link: object) => {
  const answer = await fetch(`http://127.0.0.1:${agent.port}/api/uri`, {
    method: 'POST',
    headers: { origin: server.url, 'content-type': 'application/json' },
    body: JSON.stringify(link),
  });
  return { status: answer.status, ...((await answer.json()) as { code?: string }) };
};
const [ann, ben] = [
  { first_name: 'Ann', masked_email: 'a•••@example.org' },
  { first_name: 'Ben', masked_email: 'b•••@example.org' },
];
async function annsComputer(): Promise<{ server: TestServer; test: TestAgent; browser: Browser }> {
  const { server, test } = await linked();
  server.holders.set('ABCD-EFGH', ann);
  server.setPolicy({ holder: ann });
  for (const code of ['BCDE-FGHJ', 'CDEF-GHJK', 'BCDEFGHJ']) server.holders.set(code, ben);
  return { server, test, browser: await browserOf(test) };
}

describe('[P4.6] [P10.8] a computer that belongs to an account', () => {
  it('a linked computer moves to another account by code only with yes and the PIN; a wrong PIN leaves the question open', async () => {
    const { server, test, browser } = await annsComputer();
    const { text } = await browser.press('other', { code: 'BCDE-FGHJ' });
    expect(text).toContain('Should this computer belong to Ben?');
    expect(text).toContain('Ben’s account (b•••@example.org)');
    expect(text).toContain('Admin PIN');
    expect((await sayYes(test, browser, { pin: '000000' })).text).toContain('That is not the PIN');
    expect((await sayYes(test, browser)).text).toContain('type the Admin PIN');
    expect(server.enrolled).toEqual(['ABCD-EFGH']);
    expect((await sayYes(test, browser, { pin: testPin })).text).toContain('Connected.');
    expect(server.enrolled).toEqual(['ABCD-EFGH', 'BCDE-FGHJ']);
    expect(await browser.page()).toContain('This computer belongs to Ben (b•••@example.org).');
  });

  it('a linked computer asks about a link in its window, and accepts it with yes and the PIN', async () => {
    const { server, test } = await annsComputer();
    const link = server.link({ code: 'BCDEFGHJ' });
    expect(await handOver(test, server, link)).toEqual({ status: 409, code: 'pin_needed', error: expect.any(String) });
    expect(server.enrolled).toEqual(['ABCD-EFGH']);
    expect(test.os.opened.at(-1)).toContain('/ui/?t=');
    const browser = await browserOf(test);
    expect((await sayYes(test, browser, { pin: '111111' })).text).toContain('That is not the PIN');
    await sayYes(test, browser, { pin: testPin });
    expect(server.enrolled).toEqual(['ABCD-EFGH', 'BCDE-FGHJ']);
  });

  it('yes to the ownership question counts only for the question that was shown, not for a later question', async () => {
    const { server, test, browser } = await annsComputer();
    await browser.press('other', { code: 'BCDE-FGHJ' });
    const question = /name="question" value="([^"]+)"/.exec(await browser.page())?.[1] ?? '';
    await handOver(test, server, server.link({ code: 'STRANGER' }));
    for (const wrongQuestion of [question, ''])
      expect((await sayYes(test, browser, { question: wrongQuestion, pin: testPin })).text).toContain('That question is closed');
    expect(server.enrolled).toEqual(['ABCD-EFGH']);
  });

  it('a forged link is refused without an ownership question', async () => {
    const { server, test, browser } = await annsComputer();
    const { uri } = server.link();
    const openedBefore = test.os.opened.length;
    expect(await handOver(test, server, { uri, signature: server.link().signature })).toMatchObject({ status: 409, code: 'bad_signature' });
    expect(test.os.opened).toHaveLength(openedBefore);
    expect(server.calls).not.toContain('POST /agent/whose');
    expect(await browser.page()).not.toContain('Should this computer');
  });
});
