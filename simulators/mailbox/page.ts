import { escape } from '../html.ts';
import type { PhoneCall } from '../twilio/calls.ts';
import type { MailboxText } from '../twilio/twilio.ts';
import { callState, type Entry, type MailboxPush, titleOf } from './entries.ts';

const style = `:root{color-scheme:light dark}body{font:18px/1.5 system-ui,sans-serif;margin:0;display:grid;grid-template-columns:minmax(240px,360px) 1fr;min-height:100vh}
nav{padding:16px;border-right:1px solid #8b7f6b;overflow-wrap:anywhere}ul{list-style:none;margin:0;padding:0}nav a{display:block;padding:12px;border-radius:12px;color:inherit;text-decoration:none}
a[aria-current]{background:#1a4a9926}main{min-width:0}iframe{border:0;width:100%;height:100vh;background:#fff}section,form{margin:16px}
blockquote{margin:16px;padding:16px;max-width:30em;border:1px solid #8b7f6b;border-radius:12px;white-space:pre-wrap;overflow-wrap:anywhere}button{min-height:44px;min-width:88px;margin:0 8px 8px 0;font:inherit}
@media(max-width:700px){body{grid-template-columns:1fr}nav{max-height:40vh;overflow:auto;border-right:0;border-bottom:1px solid #8b7f6b}}`;

/** The mailbox as a page without scripts. `open`: the entry that is shown; `answer`: what a text message was answered with. */
export function mailboxPage(entries: Entry[], open: Entry | undefined, answer: string | undefined): string {
  const row = (entry: Entry) => {
    const { title, recipients } = titleOf(entry);
    return `<li><a href="/dev/mailbox?id=${encodeURIComponent(entry.id)}"${entry === open ? ' aria-current="true"' : ''}><b>${escape(title)}</b><br>to ${escape(recipients)}</a></li>`;
  };
  const list = entries.length
    ? `<ul>${entries.map(row).join('')}</ul>`
    : '<p>Nothing yet. The mails, texts, calls and notifications that Porchlight sends land here.</p>';
  // A call also changes without its tester, when it stops ringing.
  const refresh = open?.kind === 'call' && open.call.state !== 'ended' ? 4 : 10;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Local mailbox</title><meta http-equiv="refresh" content="${refresh}"><style>
${style}
</style></head><body><nav><h1 style="font-size:22px">Local mailbox</h1>${list}</nav><main>${open ? content(open, answer) : ''}</main></body></html>`;
}

function content(entry: Entry, answer: string | undefined): string {
  switch (entry.kind) {
    case 'mail':
      return `<iframe title="The mail" src="/dev/mailbox/mail/${encodeURIComponent(entry.id)}"></iframe>`;
    case 'text':
      return textContent(entry.text, answer);
    case 'call':
      return callContent(entry.call);
    case 'push':
      return pushContent(entry.push);
  }
}

/** Buttons that post `name`. `values`: what each posts, and its label. */
function buttons(action: string, name: string, values: [value: string, label: string][], question: string, status = ''): string {
  const rows = values.map(([value, label]) => `<button name="${name}" value="${value}">${label}</button>`).join('');
  return `<form method="post" action="${action}"><p>${question}</p>${rows}${status}</form>`;
}

function textContent({ id, body }: MailboxText, answer: string | undefined): string {
  const status = answer === undefined ? '' : `<p role="status">Answer to ${escape(answer)}</p>`;
  const words = ['STOP', 'START', 'HELP', '1'].map((word): [string, string] => [word, word]);
  return `<blockquote>${escape(body)}</blockquote>${buttons(`/dev/mailbox/text/${encodeURIComponent(id)}`, 'body', words, 'Answer from this phone:', status)}`;
}

function callContent(call: PhoneCall): string {
  const { id, state, to, said, pressed } = call;
  const action = `/dev/mailbox/call/${encodeURIComponent(id)}`;
  const spoken = said.length ? `<blockquote>${said.map(escape).join('\n')}</blockquote>` : '';
  const keys = pressed.length ? `<p>Pressed: ${escape(pressed.join(', '))}</p>` : '';
  const heading = `<section><h2 role="status">${callState(call)}</h2><p>${escape(to)}</p>${keys}</section>`;
  return heading + spoken + callButtons(call, action, state);
}

function callButtons({ action: awaitsKey }: PhoneCall, action: string, state: PhoneCall['state']): string {
  if (state === 'ended') return '';
  if (state === 'talking') {
    const keys: [string, string][] = awaitsKey === null ? [] : ['1', '9'].map((key) => [`key-${key}`, key]);
    return buttons(action, 'do', [...keys, ['hang-up', 'Hang up']], 'On this phone:');
  }
  const choices: [string, string][] = [
    ['answer', 'Pick up'],
    ['voicemail', 'Voicemail'],
    ['busy', 'Busy'],
    ['ignore', 'Let it ring'],
  ];
  return buttons(action, 'do', choices, 'This phone is ringing:');
}

function pushContent({ title, body, url, to }: MailboxPush): string {
  return `<section><h2>${escape(title)}</h2><p>In ${escape(to)}</p></section><blockquote>${escape(body)}</blockquote><section><a href="${escape(url)}">Open it</a></section>`;
}
