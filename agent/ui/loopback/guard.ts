/** A request on loopback, as far as the guard looks at it. */
export interface LoopbackRequest {
  method: string;
  path: string;
  host: string | undefined;
  origin: string | undefined;
  content_type: string | undefined;
}

export type Verdict =
  | { pass: 'status' | 'uri' | 'preflight'; origin: string }
  | { pass: 'window' }
  | { refuse: 403 | 404 | 405 | 415; why: string };

const methods = new Map<string, 'GET' | 'POST'>([
  ['/.well-known/', 'GET'],
  ['/api/uri', 'POST'],
]);

/**
 * Who may talk to the agent. Any page of the web can reach this port, so nothing is believed: first the Host, which stops a name that
 * was pointed at this computer; then the Origin, which only our own dashboard has; then method and type (P3.2).
 * `origins`: of our dashboard. The window of the agent itself is opened by the person, without an Origin, or posts to itself.
 */
export function loopbackGuard(request: LoopbackRequest, port: number, origins: string[]): Verdict {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { method, path, host, origin } = request;
  if (!host || !hosts.includes(host.toLowerCase())) return { refuse: 403, why: 'host' };
  if (path === '/ui/' || path.startsWith('/ui/')) {
    if (origin !== undefined && origin !== `http://${host.toLowerCase()}`) return { refuse: 403, why: 'origin' };
    if (method === 'GET' && origin === undefined) return { pass: 'window' };
    return method === 'POST' && origin !== undefined ? { pass: 'window' } : { refuse: 405, why: 'method' };
  }
  if (!origin || !origins.includes(origin)) return { refuse: 403, why: 'origin' };
  const wanted = methods.get(path);
  if (!wanted) return { refuse: 404, why: 'path' };
  if (method === 'OPTIONS') return { pass: 'preflight', origin };
  if (method !== wanted) return { refuse: 405, why: 'method' };
  if (wanted === 'GET') return { pass: 'status', origin };
  return request.content_type === 'application/json' ? { pass: 'uri', origin } : { refuse: 415, why: 'type' };
}

/** The Origins that belong to a server's address; on this computer `localhost` and `127.0.0.1` are the same place. */
export function originsOf(public_url: string): string[] {
  const url = new URL(public_url);
  const local = ['localhost', '127.0.0.1'];
  if (!local.includes(url.hostname)) return [url.origin];
  return local.map((name) => `${url.protocol}//${name}${url.port ? `:${url.port}` : ''}`);
}
