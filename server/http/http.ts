import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import swagger from '@fastify/swagger';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { type FastifyInstance, fastify, LogController } from 'fastify';
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import type { TrafficControl } from '../db/traffic.ts';
import { idOfCall, withRequest } from '../lib/request-context.ts';
import type { Admission } from './admission.ts';
import { protocolGate, type RequireProtocol } from './agent-protocol.ts';
import { addressOf } from './caller-of.ts';
import { type AllowedOrigins, contentPolicy, permissionsPolicy } from './content-policy.ts';
import { type CallObserver, type DirectCalls, directCalls } from './direct-calls.ts';
import { handleErrors } from './error-handler.ts';
import { admitBeforeRouting } from './front.ts';
import { guardianCookie } from './gates.ts';
import { queueRoutes } from './route-traffic.ts';

export async function httpServer(
  log: Logger,
  options: {
    trust_proxy: number;
    /** Gets each header whose address cannot be read, as it came (P18.3). */
    unreadable?: (header: string) => void;
    traffic: Pick<TrafficControl, 'serve'>;
    admission: Pick<Admission, 'admit' | 'leave'>;
    https: boolean;
    version: string;
    name: string;
    origins: AllowedOrigins;
    observer?: CallObserver;
  },
): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: log,
    // The `onResponse` hook logs one line per call, without URL, query or personal data.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    // The caller wrote the left part of the header, which is not trusted. A function, because Fastify treats a number as trusting nobody.
    trustProxy: options.trust_proxy > 0 && ((_address: string, hop: number) => hop < options.trust_proxy),
    genReqId: ({ headers }) => idOfCall(headers, options.trust_proxy),
    bodyLimit: serverLimits.body_max,
    // Long polls wait after their request has arrived; a body that does not arrive is cut off.
    requestTimeout: 30_000,
    keepAliveTimeout: (serverLimits.agent_wait_seconds + 40) * 1000,
    forceCloseConnections: 'idle',
  }) as unknown as FastifyInstance;
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  handleErrors(app);
  acceptEmptyJson(app);
  callsHaveTheirId(app);

  await app.register(cookie);
  const headers = await safeHeaders(options);
  const headersOfAll = Object.entries(headers).flat();
  app.decorate('headersOfAll', headersOfAll);
  const { trust_proxy, unreadable, traffic, observer } = options;
  // Fastify's own `ip` takes whatever a proxy wrote.
  app.decorateRequest('address', {
    getter() {
      return addressOf(this.raw, trust_proxy, unreadable);
    },
  });
  const direct = directCalls({ headers: headersOfAll, log, trust_proxy, unreadable, traffic, observer });
  app.decorate('directCalls', direct);
  app.decorate('requireProtocol', protocolGate(log));
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
  admitBeforeRouting(app.server, {
    admission: options.admission,
    headers: headersOfAll,
    log,
    refused: observer?.refused,
    trust_proxy,
    direct,
  });
  queueRoutes(app, options.traffic);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: options.name, version: options.version },
      components: {
        securitySchemes: {
          account: { type: 'http', scheme: 'bearer', description: 'The web token of a login.' },
          confirmed: { type: 'http', scheme: 'bearer', description: 'The web token of someone with a confirmed email.' },
          member: { type: 'http', scheme: 'bearer', description: 'The web token of someone with a confirmed email and a valid plan.' },
          device: { type: 'http', scheme: 'bearer', description: 'The token that an agent got when it enrolled.' },
          device_or_removed: { type: 'http', scheme: 'bearer', description: 'The same, also for a day after the removal of the device.' },
          guardian: { type: 'apiKey', in: 'cookie', name: guardianCookie, description: 'With the XSRF header on anything but GET.' },
        },
      },
    },
    transform: jsonSchemaTransform,
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    // The call stops counting: sending the reply takes the caller's time.
    options.admission.leave(request.raw);
    void reply.header('x-request-id', request.id);
    if (request.url.startsWith('/api') && !reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store');
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (request.routeOptions.config.isDirect) return done();
    const route = request.routeOptions.url ?? 'none';
    options.observer?.answered({ message: request.raw, method: request.method, route, status: reply.statusCode, ms: reply.elapsedTime });
    request.log.info({ method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'call');
    done();
  });
  return app;
}

/** What is logged and queued while a call is handled has the call's id. */
function callsHaveTheirId(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => withRequest(request.id, done));
  // The body arrives by events of its connection, which are outside of the call.
  app.addHook('preValidation', (request, _reply, done) => withRequest(request.id, done));
}

interface HeaderOptions {
  origins: AllowedOrigins;
  https: boolean;
}

/** The headers of every answer. They never change, so they are read from one answer. */
export async function safeHeaders({ origins, https }: HeaderOptions): Promise<Record<string, string>> {
  const app = fastify();
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: contentPolicy(origins),
    },
    referrerPolicy: { policy: 'no-referrer' },
    // Only this host: the operator may have subdomains without HTTPS.
    hsts: https && { includeSubDomains: false },
    crossOriginEmbedderPolicy: false,
  });
  app.get('/', async (_request, reply) => reply.code(204).header('permissions-policy', permissionsPolicy).send());
  const { headers } = await app.inject('/');
  await app.close();
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (ofOneAnswer.has(name) ? [] : [[name, String(value)]])));
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's, from `addressOf`. */
    address: string;
  }
  interface FastifyContextConfig {
    /** One of `directCalls`, which counts it itself. */
    isDirect?: boolean;
  }
  interface FastifyInstance {
    /** For answers that Fastify does not write: name, value, name, value … */
    headersOfAll: string[];
    directCalls: DirectCalls;
    requireProtocol: RequireProtocol;
  }
}

const ofOneAnswer = new Set(['connection', 'content-length', 'content-type', 'date']);

/** A POST with the type JSON and an empty body is a call without a body. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, body as string, done);
  });
}
