import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail } from '../../lib/errors.ts';
import { escape } from '../../lib/letter.ts';
import type { Mailbox, MailboxMail } from './mailbox.ts';

/** `/dev/mailbox`: what was sent, for a person to read; `/dev/mailbox.json`, for a test. Only from this computer. */
export function mailboxRoutes(app: FastifyInstance, mailbox: Mailbox): void {
  const hidden = { schema: { hide: true }, onRequest: onlyFromHere };

  app.get('/dev/mailbox.json', hidden, async (_request, reply) =>
    reply.type('application/json').send(JSON.stringify({ mails: await mailbox.list() })),
  );

  app.get('/dev/mailbox', hidden, async (request, reply) => {
    const mails = await mailbox.list();
    const { id } = request.query as { id?: string };
    const open = mails.find((mail) => mail.id === id) ?? mails[0];
    return reply.type('text/html; charset=utf-8').send(page(mails, open));
  });

  app.get('/dev/mailbox/mail/:id', hidden, async (request, reply) => {
    const { id } = request.params as { id: string };
    const mail = (await mailbox.list()).find((m) => m.id === id);
    if (!mail) return reply.code(404).type('text/plain').send('There is no such mail.');
    // A mail may show text and colours and open links in a new tab, and nothing else.
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

/**
 * The mailbox holds everyone's links, so it opens on this computer only: not through a proxy, and not under a foreign name that was
 * pointed at this computer to let another page read it.
 */
async function onlyFromHere(request: FastifyRequest): Promise<void> {
  const address = request.socket.remoteAddress ?? '';
  const local = /^(127\.|::1$|::ffff:127\.)/.test(address) && /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(request.headers.host ?? '');
  const forwarded = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via'].some((name) => request.headers[name] !== undefined);
  if (!local || forwarded) fail('not_found');
}

function page(mails: MailboxMail[], open: MailboxMail | undefined): string {
  const row = (mail: MailboxMail) =>
    `<li><a href="/dev/mailbox?id=${encodeURIComponent(mail.id)}"${mail === open ? ' aria-current="true"' : ''}><b>${escape(mail.subject)}</b><br>to ${escape(mail.to.join(', '))}</a></li>`;
  const list = mails.length ? `<ul>${mails.map(row).join('')}</ul>` : '<p>No mail yet. What Porchlight sends lands here.</p>';
  const shown = open ? `<iframe title="The mail" src="/dev/mailbox/mail/${encodeURIComponent(open.id)}"></iframe>` : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Local mailbox</title><meta http-equiv="refresh" content="10"><style>
:root{color-scheme:light dark}body{font:18px/1.5 system-ui,sans-serif;margin:0;display:grid;grid-template-columns:minmax(240px,360px) 1fr;min-height:100vh}
nav{padding:16px;border-right:1px solid #8b7f6b;overflow-wrap:anywhere}ul{list-style:none;margin:0;padding:0}a{display:block;padding:12px;border-radius:12px;color:inherit;text-decoration:none}
a[aria-current]{background:#1a4a9926}iframe{border:0;width:100%;height:100vh;background:#fff}@media(max-width:700px){body{grid-template-columns:1fr}}
</style></head><body><nav><h1 style="font-size:22px">Local mailbox</h1>${list}</nav><main>${shown}</main></body></html>`;
}
