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
 * Any web page can reach this port: the Host check stops DNS rebinding, the Origin check all pages but our dashboard (`origins`) and the
 * agent's own window; then method and content type are checked (P3.2).
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
  const allowedMethod = methods.get(path);
  if (!allowedMethod) return { refuse: 404, why: 'path' };
  if (method === 'OPTIONS') return { pass: 'preflight', origin };
  if (method !== allowedMethod) return { refuse: 405, why: 'method' };
  if (allowedMethod === 'GET') return { pass: 'status', origin };
  return request.content_type === 'application/json' ? { pass: 'uri', origin } : { refuse: 415, why: 'type' };
}

/** The Origins of a server's address; `localhost` and `127.0.0.1` stand for each other. */
export function originsOf(public_url: string): string[] {
  const url = new URL(public_url);
  const local = ['localhost', '127.0.0.1'];
  if (!local.includes(url.hostname)) return [url.origin];
  return local.map((name) => `${url.protocol}//${name}${url.port ? `:${url.port}` : ''}`);
}
