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

/** Clause 9.14. */
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
  stop(): void;
  resume(since: number): void;
}

/**
 * Reports errors and their replays to Sentry (7.40), once per page. Nothing from before `since` (ms) is sent, since the browser's timings
 * go back before the consent.
 */
export function reportErrors(dsn: string, place: Place, since: number): Reporter {
  let open = true;
  let startTime = since;
  // The native fetch: once wrapped, the library would borrow one from a frame that it removes.
  const fetchFirst = window.fetch.bind(window);
  // An unread answer counts as pending, and with 64 kB pending the browser refuses the next keepalive report.
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
      // The first filter: an error without consent must not make the next error with consent a repeat.
      { name: 'Agreed', processEvent: (event) => (open || !event.exception ? event : null) },
      eventFiltersIntegration(),
      globalHandlersIntegration(),
      linkedErrorsIntegration(),
      dedupeIntegration(),
      httpContextIntegration(),
      // Not the clicked element: its text may be a name.
      breadcrumbsIntegration({ dom: false }),
      browserTracingIntegration({ linkPreviousTrace: 'off' }),
      replayIntegration({
        maskAllText: true,
        maskAllInputs: true,
        blockAllMedia: true,
        maskAttributes: ['title', 'placeholder', 'aria-label', 'alt', 'value'],
        networkCaptureBodies: false,
        // The transport below could not clean compressed recordings, and compression needs a worker made of text.
        useCompression: false,
        stickySession: false,
        beforeAddRecordingEvent: (event) =>
          timeOf(event.data) < startTime || JSON.stringify(event.data).includes('"category":"ui.') ? null : event,
      }),
    ],
    // All events, spans and replays leave through here.
    transport: (options) => {
      const sentryTransport = makeFetchTransport(options, send);
      return {
        flush: (timeout) => sentryTransport.flush(timeout),
        send: async (envelope) => {
          const cleanedEnvelope = open ? cleanEnvelope(envelope, place, startTime) : null;
          return cleanedEnvelope ? sentryTransport.send(cleanedEnvelope) : {};
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
    resume(newStart) {
      open = true;
      startTime = newStart;
      if (Math.random() < rates.replaysSessionSampleRate) getReplay()?.start();
      else getReplay()?.startBuffering();
    },
  };
}

/** The time of a recorded entry, in milliseconds; entries have seconds. */
function timeOf(data: unknown): number {
  const { payload = {} } = data as { payload?: { startTimestamp?: number; timestamp?: number } };
  return (payload.startTimestamp ?? payload.timestamp ?? Number.POSITIVE_INFINITY) * 1000;
}

function framesOf(event: { exception?: { values?: { stacktrace?: { frames?: { filename?: string }[] } }[] } }): string[] {
  return (event.exception?.values ?? []).flatMap(({ stacktrace }) => (stacktrace?.frames ?? []).map(({ filename = '' }) => filename));
}
