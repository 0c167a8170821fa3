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
import { onTrouble } from '../lib/trouble.ts';
import { cleanText, type Place } from './addresses.ts';
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
  /** Nothing is recorded, and nothing leaves any more. */
  stop(): void;
  /** After a stop: as at the beginning. */
  resume(): void;
}

/** Reports errors and replays of them to a Sentry (7.40), at once. A page can have only one. */
export function reportErrors(dsn: string, place: Place): Reporter {
  let open = true;
  init({
    ...rates,
    dsn,
    release: `porchlight@${__VERSION__}`,
    dataCollection: nothingMore,
    sendClientReports: false,
    allowUrls: [new RegExp(`^${place.origin.replaceAll('.', '\\.')}/`)],
    tracePropagationTargets: [new RegExp(`^${place.origin.replaceAll('.', '\\.')}/api/`), /^\/api\//],
    beforeSend: (event, { originalException }) => (isWorthReporting(originalException, framesOf(event), place.origin) ? event : null),
    defaultIntegrations: false,
    integrations: [
      eventFiltersIntegration(),
      globalHandlersIntegration(),
      linkedErrorsIntegration(),
      dedupeIntegration(),
      httpContextIntegration(),
      // Not what was pressed: it is told by its words, and those may be names.
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
        beforeAddRecordingEvent: (event) => (JSON.stringify(event.data).includes('"category":"ui.') ? null : event),
      }),
    ],
    // The one door through which all of it leaves: events, spans, replays.
    transport: (options) => {
      const door = makeFetchTransport(options);
      return {
        flush: (timeout) => door.flush(timeout),
        send: async (envelope) => (open ? door.send(clean(envelope, place)) : {}),
      };
    },
  });
  onTrouble((error) => open && captureException(error));
  return {
    stop() {
      open = false;
      void getReplay()?.stop({ flush: false });
    },
    resume() {
      open = true;
      if (Math.random() < rates.replaysSessionSampleRate) getReplay()?.start();
      else getReplay()?.startBuffering();
    },
  };
}

type Envelope = Parameters<ReturnType<typeof makeFetchTransport>['send']>[0];

/** The same envelope without anyone in it. A recording travels as text, whose length stands in front of it. */
function clean([head, items]: Envelope, place: Place): Envelope {
  const cleaned = items.map(([header, payload]) => {
    if (typeof payload !== 'string') return [header, JSON.parse(cleanText(JSON.stringify(payload), place))];
    const text = cleanText(payload, place);
    return [{ ...header, length: new TextEncoder().encode(text).length }, text];
  });
  return [JSON.parse(cleanText(JSON.stringify(head), place)), cleaned] as Envelope;
}

function framesOf(event: { exception?: { values?: { stacktrace?: { frames?: { filename?: string }[] } }[] } }): string[] {
  return (event.exception?.values ?? []).flatMap(({ stacktrace }) => (stacktrace?.frames ?? []).map(({ filename = '' }) => filename));
}
