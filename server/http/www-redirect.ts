import type { FastifyInstance } from 'fastify';

/** Probes check the server, under any host name. */
const probes = ['/healthz', '/readyz'];

/**
 * Only if the public address has `www.` (1.7, P3.8), and only from exactly the bare host: requests to other names (localhost, a proxy's
 * own) are not redirected.
 */
export function wwwRedirect(app: FastifyInstance, public_url: string): void {
  const { host, origin } = new URL(public_url);
  if (!host.startsWith('www.')) return;
  const bareHost = host.slice('www.'.length);
  app.addHook('onRequest', async (request, reply) => {
    const { url, method } = request;
    if (request.host.toLowerCase() !== bareHost || probes.includes(url.split('?')[0] ?? '')) return;
    // A request line may contain an absolute URL, which would become part of the host.
    if (!url.startsWith('/')) return;
    // 308 preserves method and body; 301 is known to every old client.
    return reply.redirect(`${origin}${url}`, method === 'GET' || method === 'HEAD' ? 301 : 308);
  });
}
