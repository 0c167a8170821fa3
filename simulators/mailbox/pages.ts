import type { FastifyInstance } from 'fastify';
import type { SimulatorAccess } from '../access.ts';
import { escape } from '../html.ts';
import type { MailboxText, TwilioSimulator } from '../twilio/twilio.ts';
import type { Mailbox, MailboxMail } from './mailbox.ts';

type Entry = MailboxMail | MailboxText;

/**
 * `/dev/mailbox` for people, `/dev/mailbox.json` for tests; both need the key of the simulators. A simulator is null when a real service is
 * used or its page is closed.
 */
export function mailboxRoutes(
  app: FastifyInstance,
  access: SimulatorAccess,
  mailbox: Mailbox | null,
  twilioSimulator: TwilioSimulator | null,
): void {
  const routeOptions = { schema: { hide: true }, onRequest: access.onlyWithKey };
  const listMessages = async () => ({ mails: (await mailbox?.list()) ?? [], texts: (await twilioSimulator?.list()) ?? [] });

  app.get('/dev/mailbox.json', routeOptions, async (_request, reply) =>
    reply.type('application/json').send(JSON.stringify(await listMessages())),
  );

  app.get('/dev/mailbox', routeOptions, async (request, reply) => {
    const { mails, texts } = await listMessages();
    // Ids start with the time, so entries are sorted by age.
    const entries: Entry[] = [...mails, ...texts].sort((a, b) => (a.id < b.id ? 1 : -1));
    const { id, answer } = request.query as { id?: string; answer?: string };
    const openEntry = entries.find((entry) => entry.id === id) ?? entries[0];
    return reply.type('text/html; charset=utf-8').send(page(entries, openEntry, answer));
  });
  if (twilioSimulator) answerRoute(app, access, twilioSimulator);

  app.get('/dev/mailbox/mail/:id', routeOptions, async (request, reply) => {
    const { id } = request.params as { id: string };
    const mail = (await listMessages()).mails.find((m) => m.id === id);
    if (!mail) return reply.code(404).type('text/plain').send('There is no such mail.');
    // An email may show text and colours and open links in a new tab, and nothing else.
    return reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation; frame-ancestors 'self'",
      )
      .header('x-frame-options', 'SAMEORIGIN')
      .type('text/html; charset=utf-8')
      .send(mail.html.replace('<head>', '<head><base target="_top">'));
  });
}

/** Buttons with which a tester answers a text message as its recipient. */
function answerRoute(app: FastifyInstance, access: SimulatorAccess, twilioSimulator: TwilioSimulator): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.post('/dev/mailbox/text/:id', { schema: { hide: true }, onRequest: access.onlyWithKey }, async (request, reply) => {
      const { id } = request.params as { id: string };
      const text = (await twilioSimulator.list()).find((one) => one.id === id);
      if (!text) return reply.code(404).type('text/plain').send('There is no such text.');
      const answerText = new URLSearchParams(String(request.body ?? '')).get('body') ?? '';
      const { status, body } = await twilioSimulator.write(text.to, answerText);
      const answer = /<Message>(.*)<\/Message>/s.exec(body)?.[1] ?? (status === 200 ? 'nothing' : `status ${status}`);
      return reply.redirect(`/dev/mailbox?${new URLSearchParams({ id, answer: `${answerText}: ${answer}` }).toString()}`, 303);
    });
  });
}

function page(entries: Entry[], openEntry: Entry | undefined, answer: string | undefined): string {
  const row = (entry: Entry) => {
    const [title, recipients] = 'html' in entry ? [entry.subject, entry.to.join(', ')] : ['Text message', entry.to];
    return `<li><a href="/dev/mailbox?id=${encodeURIComponent(entry.id)}"${entry === openEntry ? ' aria-current="true"' : ''}><b>${escape(title)}</b><br>to ${escape(recipients)}</a></li>`;
  };
  const list = entries.length
    ? `<ul>${entries.map(row).join('')}</ul>`
    : '<p>Nothing yet. The mails and texts that Porchlight sends land here.</p>';
  const openContent = openEntry ? content(openEntry, answer) : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Local mailbox</title><meta http-equiv="refresh" content="10"><style>
:root{color-scheme:light dark}body{font:18px/1.5 system-ui,sans-serif;margin:0;display:grid;grid-template-columns:minmax(240px,360px) 1fr;min-height:100vh}
nav{padding:16px;border-right:1px solid #8b7f6b;overflow-wrap:anywhere}ul{list-style:none;margin:0;padding:0}a{display:block;padding:12px;border-radius:12px;color:inherit;text-decoration:none}
a[aria-current]{background:#1a4a9926}iframe{border:0;width:100%;height:100vh;background:#fff}blockquote{margin:16px;padding:16px;max-width:30em;border:1px solid #8b7f6b;border-radius:12px;white-space:pre-wrap;overflow-wrap:anywhere}form{margin:16px}button{min-height:44px;min-width:88px;margin-right:8px;font:inherit}@media(max-width:700px){body{grid-template-columns:1fr}}
</style></head><body><nav><h1 style="font-size:22px">Local mailbox</h1>${list}</nav><main>${openContent}</main></body></html>`;
}

function content(entry: Entry, answer: string | undefined): string {
  if ('html' in entry) return `<iframe title="The mail" src="/dev/mailbox/mail/${encodeURIComponent(entry.id)}"></iframe>`;
  const button = (word: string) => `<button name="body" value="${word}">${word}</button>`;
  const answerText = answer === undefined ? '' : `<p role="status">Answer to ${escape(answer)}</p>`;
  return `<blockquote>${escape(entry.body)}</blockquote><form method="post" action="/dev/mailbox/text/${encodeURIComponent(entry.id)}"><p>Answer from this phone:</p>${['STOP', 'START', 'HELP'].map(button).join('')}${answerText}</form>`;
}
