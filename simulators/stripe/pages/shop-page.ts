import { escape } from '../../html.ts';
import type { Shop } from '../shop.ts';
import { button, frame, pathOf } from './frame.ts';

export function shopPage(shop: Shop): string {
  const { state } = shop;
  const waiting = Object.keys(state.deliveries).length;
  const rows = Object.values(state.events)
    .slice(-20)
    .reverse()
    .map(
      (event) =>
        `<li>${new Date(event.created * 1000).toISOString()} ${escape(event.type)}${event.id in state.deliveries ? ' (waits)' : ''}</li>`,
    );
  return frame(
    'Test shop',
    [
      '<h1>The test shop</h1>',
      `<p>${state.held ? 'Events are held back.' : 'Events are delivered as they happen.'} ${waiting} ${waiting === 1 ? 'event waits' : 'events wait'}.</p>`,
      state.held
        ? button(pathOf(shop, '/release'), 'Deliver events again', { main: true })
        : button(pathOf(shop, '/hold'), 'Hold events back'),
      '<h2>The last events</h2>',
      rows.length ? `<ul>${rows.join('')}</ul>` : '<p>Nothing has happened yet.</p>',
    ].join(''),
  );
}
