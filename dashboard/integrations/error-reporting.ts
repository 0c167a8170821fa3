import {
  type BrowserOptions,
  breadcrumbsIntegration,
  browserTracingIntegration,
  captureException,
  dedupeIntegration,
  eventFiltersIntegration,
  getReplay,
  globalHandlersIntegration,
  httpContextIntegration,
  init,
  linkedErrorsIntegration,
  makeFetchTransport,
  replayIntegration,
} from '@sentry/browser';
import { onHandledError } from '../lib/handled-errors.ts';
import type { Place } from './addresses.ts';
import { cleanEnvelope } from './envelopes.ts';
import { isWorthReporting } from './worth-reporting.ts';

/** 9.14 */
const rates = { tracesSampleRate: 1.0, replaysSessionSampleRate: 0.1, replaysOnErrorSampleRate: 1.0 };

const nothingMore = {
  userInfo: false,
  cookies: false,
  httpHeaders: false,
  httpBodies: [],
  urlQueryParams: false,
  stackFrameVariables: false,
} satisfies BrowserOptions['dataCollection'];

export interface Reporter {
  /** Stops recording and sending. */
  stop(): void;
  /** After a stop: as at the beginning. */
  resume(since: number): void;
}

/**
 * Reports errors and replays of them to a Sentry (7.40), at once. A page can have only one. Of what happened before `since`, in
 * milliseconds, nothing is told: the browser remembers more than someone has agreed to.
 */
export function reportErrors(dsn: string, place: Place, since: number): Reporter {
  let open = true;
  let from = since;
  // The native fetch, before the library wraps it: otherwise it borrows one from a frame that it removes.
  const fetchFirst = window.fetch.bind(window);
  // An answer that nobody reads counts as under way, and with 64 kB under way the browser refuses the next report that is to outlive the page.
  const send: typeof fetch = async (...request) => {
    const answer = await fetchFirst(...request);
    await answer.text();
    return answer;
  };
  init({
    ...rates,
    dsn,
    release: `porchlight@${__VERSION__}`,
    dataCollection: nothingMore,
    sendClientReports: false,
    allowUrls: [new RegExp(`^${place.origin.replaceAll('.', '\\.')}/`)],
    tracePropagationTargets: [new RegExp(`^${place.origin.replaceAll('.', '\\.')}/api/`), /^\/api\//],
    beforeSend: (event, { originalException }) => (isWorthReporting(originalException, framesOf(event), place.origin) ? event : null),
    beforeBreadcrumb: (crumb) => (open ? crumb : null),
    defaultIntegrations: false,
    integrations: [
      // First of all: what happens after a no must not count as a first time, of which the one after the yes is a repeat.
      { name: 'Agreed', processEvent: (event) => (open || !event.exception ? event : null) },
      eventFiltersIntegration(),
      globalHandlersIntegration(),
      linkedErrorsIntegration(),
      dedupeIntegration(),
      httpContextIntegration(),
      // Not the clicked element: it is described by its text, which may be a name.
      breadcrumbsIntegration({ dom: false }),
      browserTracingIntegration({ linkPreviousTrace: 'off' }),
      replayIntegration({
        maskAllText: true,
        maskAllInputs: true,
        blockAllMedia: true,
        maskAttributes: ['title', 'placeholder', 'aria-label', 'alt', 'value'],
        networkCaptureBodies: false,
        // Compressed it would pass the door below unread, and need a worker made of text.
        useCompression: false,
        stickySession: false,
        beforeAddRecordingEvent: (event) =>
          timeOf(event.data) < from || JSON.stringify(event.data).includes('"category":"ui.') ? null : event,
      }),
    ],
    // All events, spans and replays leave through here.
    transport: (options) => {
      const door = makeFetchTransport(options, send);
      return {
        flush: (timeout) => door.flush(timeout),
        send: async (envelope) => {
          const cleaned = open ? cleanEnvelope(envelope, place, from) : null;
          return cleaned ? door.send(cleaned) : {};
        },
      };
    },
  });
  onHandledError((error) => open && captureException(error));
  return {
    stop() {
      open = false;
      void getReplay()?.stop({ flush: false });
    },
    resume(again) {
      open = true;
      from = again;
      if (Math.random() < rates.replaysSessionSampleRate) getReplay()?.start();
      else getReplay()?.startBuffering();
    },
  };
}

/** When something recorded happened, in milliseconds; such things carry it in seconds. */
function timeOf(data: unknown): number {
  const { payload = {} } = data as { payload?: { startTimestamp?: number; timestamp?: number } };
  return (payload.startTimestamp ?? payload.timestamp ?? Number.POSITIVE_INFINITY) * 1000;
}

function framesOf(event: { exception?: { values?: { stacktrace?: { frames?: { filename?: string }[] } }[] } }): string[] {
  return (event.exception?.values ?? []).flatMap(({ stacktrace }) => (stacktrace?.frames ?? []).map(({ filename = '' }) => filename));
}
