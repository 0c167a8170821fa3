/** The push services of the common browsers: Chrome, Edge on other systems, Brave and Opera; Firefox; Safari; Edge on Windows. */
export const knownPushServices = ['fcm.googleapis.com', '*.push.services.mozilla.com', '*.push.apple.com', '*.notify.windows.com'];

/**
 * The first of `services` that an endpoint belongs to; null for any other. Browsers choose the endpoint and this server posts to it, so
 * that anything else could reach what only this server reaches. `*.x`: each host below x, but not x.
 */
export function pushServiceOf(endpoint: string, services: readonly string[]): string | null {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (url?.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '') return null;
  const { hostname } = url;
  return services.find((service) => (service.startsWith('*.') ? hostname.endsWith(service.slice(1)) : hostname === service)) ?? null;
}
