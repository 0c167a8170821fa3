import { paging } from './form.ts';
import { pageOf } from './lists.ts';
import { type Route, route } from './route.ts';
import { apiVersion } from './shop.ts';

/** The one webhook of the shop: the server that shows its pages. */
export const webhookRoutes: Route[] = [
  route('GET /v1/webhook_endpoints', paging, ({ pages_url }, form) => {
    const webhook = {
      id: 'we_1TestShopWebhook',
      object: 'webhook_endpoint',
      api_version: apiVersion,
      application: null,
      created: 0,
      description: null,
      enabled_events: ['*'],
      livemode: false,
      metadata: {},
      status: 'enabled',
      url: new URL('/api/stripe/webhook', pages_url).href,
    };
    return pageOf([webhook], '/v1/webhook_endpoints', form);
  }),
];
