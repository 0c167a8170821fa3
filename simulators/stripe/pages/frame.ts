import { escape } from '../../html.ts';
import type { Price } from '../api-types.ts';
import type { Shop } from '../shop.ts';

/** A page of the test shop, usable without JavaScript. `body`: HTML. */
export function frame(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)}</title><style>
:root{color-scheme:light dark;--paper:#fffdf8;--ink:#14213d;--line:#6b6254;--act:#1a4a99;--on-act:#fff;--mark:#ffd98a;--bad:#8f1414}
@media(prefers-color-scheme:dark){:root{--paper:#0f1830;--ink:#f5f1e8;--line:#9aa4bd;--act:#b9d0ff;--on-act:#0f1830;--mark:#ffd98a;--bad:#ffb8b0}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:18px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
.mark{margin:0;padding:16px;background:var(--mark);color:#14213d;font-weight:700;text-align:center}
main{max-width:640px;margin:0 auto;padding:24px 16px 48px}h1{font-size:28px;line-height:1.25;margin:0 0 16px}h2{font-size:21px;margin:32px 0 8px}
dt{font-weight:700}dd{margin:0 0 12px}form{margin:16px 0}label{display:block;font-weight:700;margin-bottom:4px}
input,select{font:inherit;width:100%;min-height:48px;padding:8px 12px;border:2px solid var(--line);border-radius:12px;background:var(--paper);color:var(--ink)}
button{font:inherit;font-weight:700;min-height:48px;width:100%;padding:8px 20px;border:2px solid var(--act);border-radius:12px;background:var(--paper);color:var(--act);cursor:pointer}
button.main{background:var(--act);color:var(--on-act)}form>input,form>select{margin-bottom:12px}
:focus-visible{outline:3px solid var(--ink);outline-offset:3px}.alert{border:2px solid var(--bad);border-radius:12px;padding:12px 16px;color:var(--bad);font-weight:700}
</style></head><body><header><p class="mark">This is a test shop. Nothing is charged.</p></header><main>${body}</main></body></html>`;
}

/** A button in its own form. `fields`: HTML. */
export function button(action: string, label: string, { main = false, fields = '' } = {}): string {
  return `<form method="post" action="${escape(action)}">${fields}<button type="submit"${main ? ' class="main"' : ''}>${escape(label)}</button></form>`;
}

/** A path without a host, because this computer may be reached under several names. */
export const pathOf = (shop: Shop, page = '') => new URL(shop.pages_url).pathname + page;

export const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

export const priceInWords = (price: Price, cents = price.unit_amount) => `${dollars(cents)} a ${price.recurring.interval}`;

export function dateInWords(seconds: number): string {
  return new Date(seconds * 1000).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** The content security policy; `form-action` allows this server and the addresses that the forms redirect to. */
export function policyFor(...backUrls: (string | null)[]): string {
  const origins = backUrls.flatMap((url) => (url ? new URL(url).origin : []));
  return `default-src 'none'; style-src 'unsafe-inline'; form-action 'self' ${[...new Set(origins)].join(' ')}; base-uri 'none'; frame-ancestors 'none'`;
}
