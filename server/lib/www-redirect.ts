import type { FastifyInstance } from 'fastify';

/** A probe asks the machine and not the site, under whatever name it knows. */
const probes = ['/healthz', '/readyz'];

/**
 * Who comes to the bare host is sent to the www form of the same address (1.7). Only where the public address has `www.` (P3.8), and only
 * from exactly that bare host: under any other name (localhost, a proxy's own) everything stays as it is.
 */
export function wwwRedirect(app: FastifyInstance, public_url: string): void {
  const { host, origin } = new URL(public_url);
  if (!host.startsWith('www.')) return;
  const bare = host.slice('www.'.length);
  app.addHook('onRequest', async (request, reply) => {
    const { url, method } = request;
    if (request.host.toLowerCase() !== bare || probes.includes(url.split('?')[0] ?? '')) return;
    // A request line may hold a whole address; what does not begin with a slash would become part of the host.
    if (!url.startsWith('/')) return;
    // 308 keeps the method and the body, and 301 is what every old reader of pages knows.
    return reply.redirect(`${origin}${url}`, method === 'GET' || method === 'HEAD' ? 301 : 308);
  });
}
