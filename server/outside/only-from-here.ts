import type { FastifyRequest } from 'fastify';
import { fail } from '../lib/errors.ts';

/**
 * For the pages of the stand-ins, which hold everyone's links and plans: they open on this computer only. Not through a proxy, not under a
 * foreign name that was pointed at this computer to let another page read them, and no button of theirs is pressed by another page.
 */
export async function onlyFromHere(request: FastifyRequest): Promise<void> {
  const address = request.socket.remoteAddress ?? '';
  const local = /^(127\.|::1$|::ffff:127\.)/.test(address) && /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(request.headers.host ?? '');
  const forwarded = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via'].some((name) => request.headers[name] !== undefined);
  const pressed = request.method !== 'GET' && !['same-origin', undefined].includes(request.headers['sec-fetch-site'] as string | undefined);
  if (!local || forwarded || pressed) fail('not_found');
}
