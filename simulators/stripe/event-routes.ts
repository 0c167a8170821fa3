import { is, raise } from './catalog.ts';
import { arrayOf, isWithin, moments, paging, text } from './form.ts';
import { pageOf } from './lists.ts';
import { noSuch } from './refused.ts';
import { type Route, route } from './route.ts';

export const eventRoutes: Route[] = [
  route(
    'GET /v1/events',
    { ...paging, type: text.optional(), types: arrayOf(text).optional(), created: moments.optional() },
    ({ state }, form) =>
      pageOf(
        Object.values(state.events).filter(
          (row) => is<string>(form.type, row.type) && (form.types?.includes(row.type) ?? true) && isWithin(row.created, form.created),
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
