import { is, raise } from './catalog.ts';
import { many, moments, paging, text, within } from './form.ts';
import { pageOf } from './lists.ts';
import { noSuch } from './refused.ts';
import { type Route, route } from './route.ts';

/** What has happened, for whoever missed its webhook. */
export const eventRoutes: Route[] = [
  route(
    'GET /v1/events',
    { ...paging, type: text.optional(), types: many(text).optional(), created: moments.optional() },
    ({ state }, form) =>
      pageOf(
        Object.values(state.events).filter(
          (row) => is<string>(form.type, row.type) && (form.types?.includes(row.type) ?? true) && within(row.created, form.created),
        ),
        '/v1/events',
        form,
      ),
  ),
  route(
    'GET /v1/events/:id',
    {},
    ({ state }, _form, id) => (Object.hasOwn(state.events, id) && state.events[id]) || raise(noSuch('event', id)),
  ),
];
