import { createServer, type Server } from 'node:http';
import { brand, colors } from '@porchlight/contract/brand.ts';
import type { SocketAddress } from './address.ts';
import { dnsMessages } from './messages.ts';
import { getsNoAddress, type Stopped, siteOf, type Verdict } from './verdict.ts';

const roles = (colours: Record<string, string>) =>
  Object.entries(colours)
    .map(([role, value]) => `--${role}:${value}`)
    .join(';');

const style = `:root{color-scheme:light dark;${roles(colors.light)}}@media(prefers-color-scheme:dark){:root{${roles(colors.dark)}}}
*{box-sizing:border-box;margin:0}body{background:var(--paper);color:var(--ink);font:1.25rem/1.5 "Atkinson Hyperlegible Next",Verdana,sans-serif}
main{max-width:680px;margin:0 auto;padding:32px 16px;display:grid;gap:24px;grid-template-columns:minmax(0,1fr);overflow-wrap:anywhere}h1{font-size:2.125rem;line-height:1.2}
dl{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:24px}dt{font-weight:700}dd{margin:0 0 16px}dd:last-child{margin:0}.soft{color:var(--ink-soft);font-size:1.125rem}`;

/**
 * Serves the page that explains a blocked site opened over plain HTTP. Null when the port is taken. Requests for other hosts get a bare
 * 404, which does not reveal this program.
 */
export async function startBlockPage({ address, port }: SocketAddress, verdictFor: (name: string) => Verdict): Promise<Server | null> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000, maxHeaderSize: 8192 }, (request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase().replace(/\.$/, '');
    const verdict = host === '' ? null : verdictFor(host);
    if (!verdict || !getsNoAddress(verdict)) return void response.writeHead(404).end();
    response
      .writeHead(403, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      .end(blockPage(verdict));
  });
  const listening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ host: address, port, exclusive: true }, () => resolve(true));
  });
  return listening ? server : null;
}

function blockPage(stopped: Stopped): string {
  const { page, pausedPage } = dnsMessages;
  const { definition, money, imitates } = stopped;
  if (imitates !== undefined) return whole(pausedPage.title(imitates), pausedPage.first, pausedPage.parts(imitates), pausedPage.wrong);
  if (money)
    return whole(dnsMessages.moneyPage.title, dnsMessages.moneyPage.hangUp, dnsMessages.moneyPage.parts, dnsMessages.moneyPage.wrong);
  // For a remote-control site a caller talked the user into opening it, and the call still goes on.
  const called = definition?.category === 'RemoteControl';
  const why = called ? page.family(definition.name) : page.listed;
  const items = [
    [page.parts.happened, `${page.happened(siteOf(stopped))} ${why}`],
    [page.parts.did, page.did],
    [page.parts.over, called ? page.notOver : page.over],
    [page.parts.now, `${definition?.help.what_to_do ?? ''} ${page.now}`.trim()],
  ] as const;
  return whole(page.title, called ? page.hangUp : page.safe, items, page.wrong);
}

function whole(heading: string, first: string, items: readonly (readonly [title: string, text: string])[], wrong: string): string {
  const { support } = dnsMessages.page;
  const shownItems = items.map(([title, text]) => `<dt>${escape(title)}</dt><dd>${escape(text)}</dd>`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(heading)}</title><style>${style}</style></head><body><main><div><h1>${escape(heading)}</h1><p><strong>${escape(first)}</strong></p></div><dl>${shownItems.join('')}</dl><p>${escape(wrong)}</p><p class="soft">${escape(brand.name)}<br>${escape(support)}</p></main></body></html>`;
}

function escape(raw: string): string {
  return raw.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
