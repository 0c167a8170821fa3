import type { FastifyInstance } from 'fastify';
import { after, type Clock } from '../lib/clock.ts';

/** RFC 9116 advises less than a year. */
const validity = 180 * 86_400_000;

/** RFC 9116. `contact`: an email address. */
export function securityTxt(app: FastifyInstance, clock: Clock, { contact, public_url }: { contact: string; public_url: string }): void {
  app.get('/.well-known/security.txt', { schema: { hide: true } }, async (_request, reply) => {
    const expires = after(clock.now(), validity)
      .toISOString()
      .replace(/\.\d+Z$/, 'Z');
    const lines = [
      `Contact: mailto:${contact}`,
      `Expires: ${expires}`,
      'Preferred-Languages: en',
      `Canonical: ${public_url}/.well-known/security.txt`,
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}
