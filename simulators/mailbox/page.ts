import { escape } from '../html.ts';
import type { PhoneCall } from '../twilio/calls.ts';
import { type Entry, lineOf } from './entries.ts';

const style = `
:root{color-scheme:light dark}body{font:18px/1.5 system-ui,sans-serif;margin:0;display:grid;grid-template-columns:minmax(240px,360px) 1fr;min-height:100vh}
nav{padding:16px;border-right:1px solid #8b7f6b;overflow-wrap:anywhere}ul{list-style:none;margin:0;padding:0}a{display:block;padding:12px;border-radius:12px;color:inherit;text-decoration:none}
a[aria-current]{background:#1a4a9926}iframe{border:0;width:100%;height:100vh;background:#fff}blockquote{margin:16px;padding:16px;max-width:30em;border:1px solid #8b7f6b;border-radius:12px;white-space:pre-wrap;overflow-wrap:anywhere}form,.result{margin:16px}button{min-height:44px;min-width:88px;margin:0 8px 8px 0;font:inherit}.link{display:inline;padding:0;text-decoration:underline}@media(max-width:700px){body{grid-template:auto 1fr/1fr}nav{max-height:40vh;overflow:auto;border-right:0;border-bottom:1px solid #8b7f6b}}
`;

/** `answer`: what the server replied to a text. */
export function mailboxPage(entries: Entry[], openEntry: Entry | undefined, answer: string | undefined): string {
  const row = (entry: Entry) => {
    const { title, to } = lineOf(entry);
    return `<li><a href="/dev/mailbox?id=${encodeURIComponent(entry.id)}"${entry === openEntry ? ' aria-current="true"' : ''}><b>${escape(title)}</b><br>to ${escape(to)}</a></li>`;
  };
  const list = entries.length
    ? `<ul>${entries.map(row).join('')}</ul>`
    : '<p>Nothing yet. The emails, texts, notifications and calls that Porchlight sends land here.</p>';
  // A phone stops ringing soon.
  const refresh_seconds = openEntry?.kind === 'call' && openEntry.call.state !== 'ended' ? 4 : 10;
  const openContent = openEntry ? content(openEntry, answer) : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Local mailbox</title><meta http-equiv="refresh" content="${refresh_seconds}"><style>${style}</style></head><body><nav><h1 style="font-size:22px">Local mailbox</h1>${list}</nav><main>${openContent}</main></body></html>`;
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
      return `<blockquote><b>${escape(entry.push.title)}</b>\n${escape(entry.push.body)}</blockquote><p class="result"><a class="link" href="${escape(entry.push.url)}">Open it</a></p>`;
  }
}

const buttons = (name: string, labels: [value: string, label: string][]) =>
  labels.map(([value, label]) => `<button name="${name}" value="${value}">${label}</button>`).join('');

const formTo = (path: string, content: string) => `<form method="post" action="${path}">${content}</form>`;

function textContent({ id, body }: { id: string; body: string }, answer: string | undefined): string {
  const answerText = answer === undefined ? '' : `<p role="status">Answer to ${escape(answer)}</p>`;
  const words = ['1', 'STOP', 'START', 'HELP'].map((word): [string, string] => [word, word]);
  const form = `<p>Answer from this phone:</p>${buttons('body', words)}${answerText}`;
  return `<blockquote>${escape(body)}</blockquote>${formTo(`/dev/mailbox/text/${encodeURIComponent(id)}`, form)}`;
}

const ended = {
  completed: 'The call has ended.',
  busy: 'The line was busy.',
  'no-answer': 'Nobody picked up.',
  failed: 'The phone was not reached.',
} as const;

function callContent({ id, state, result, voicemail, words, pressed, action }: PhoneCall): string {
  const path = `/dev/mailbox/call/${encodeURIComponent(id)}`;
  const heard = words.length ? `<blockquote>${words.map(escape).join('\n')}</blockquote>` : '';
  const keys = pressed.length ? `<p class="result">Pressed: ${escape(pressed.join(' '))}</p>` : '';
  if (state === 'ringing') {
    const choices: [string, string][] = [
      ['answer', 'Pick up'],
      ['voicemail', 'Voicemail'],
      ['busy', 'Busy'],
      ['ignore', 'Let it ring out'],
    ];
    return `<p class="result" role="status">The phone is ringing.</p>${formTo(path, buttons('do', choices))}`;
  }
  if (state === 'talking') {
    const choices: [string, string][] = [
      ...(action === null ? [] : ['1', '9'].map((key): [string, string] => [key, `Press ${key}`])),
      ['hangUp', 'Hang up'],
    ];
    // Above the words, so that a key is within reach while they are read.
    return `${formTo(path, buttons('do', choices))}${heard}`;
  }
  const status = voicemail ? 'Voicemail picked up.' : ended[result ?? 'completed'];
  return `${heard}${keys}<p class="result" role="status">${status}</p>`;
}
