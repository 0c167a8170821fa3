import fastifyStatic from '@fastify/static';
import { brand } from '@porchlight/contract/brand.ts';
import { readDeviceCode } from '@porchlight/contract/codes.ts';
import { type InstallerPlatform, installerPlatform } from '@porchlight/contract/downloads.ts';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BackgroundBuild } from './background-build.ts';
import { settleConditions } from './conditions.ts';
import type { Installers } from './installers.ts';
import { missingPage, notReadyPage } from './missing-page.ts';
import type { Updates } from './updates.ts';

const types = {
  windows: 'application/vnd.microsoft.portable-executable',
  macos: 'application/octet-stream',
  linux: 'application/vnd.debian.binary-package',
} as const satisfies Record<InstallerPlatform, string>;

const answerWords = { changed: 'This is another file by now.', noPart: 'The file has no such part.' };

export interface DownloadFileDeps {
  installers: Installers;
  builds: Pick<BackgroundBuild, 'request'>;
  updates: Updates;
}

/** Serves installers, their `.sha256` and update files by hash, and nothing else from the folder. */
export async function downloadFiles(app: FastifyInstance, { installers, builds, updates }: DownloadFileDeps): Promise<void> {
  const route = { method: ['GET', 'HEAD'], schema: { hide: true } };
  await app.register(async (scope) => {
    await scope.register(fastifyStatic, { serve: false });
    scope.setErrorHandler(rangeErrorHandler);
    for (const platform of installerPlatform.options) {
      scope.route({
        ...route,
        url: `/downloads/${platform}`,
        handler: (request, reply) => sendFile({ installers, builds }, platform, request, reply),
      });
      scope.route({
        ...route,
        url: `/downloads/${platform}.sha256`,
        handler: async (request, reply) => {
          const foundFile = await installers.find(platform);
          if (!foundFile) return sendNotReady(builds, reply, platform);
          const name = downloadName(platform, codeOf(request));
          return reply
            .type('text/plain; charset=utf-8')
            .header('cache-control', 'no-cache')
            .send(`${foundFile.sha256.toString('hex')}  ${name}\n`);
        },
      });
    }
    scope.route({
      ...route,
      url: '/downloads/update/:sha256',
      handler: async (request, reply) => {
        const foundFile = await updates.find((request.params as { sha256: string }).sha256);
        if (!foundFile) return sendUnknown(reply);
        reply.headers({ 'content-type': 'application/gzip', 'cache-control': 'public, max-age=31536000, immutable' });
        return reply.sendFile(foundFile.file, foundFile.folder, { contentType: false, cacheControl: false });
      },
    });
    for (const url of ['/downloads', '/downloads/*'])
      scope.route({ ...route, url, handler: async (_request, reply) => sendUnknown(reply) });
  });
}

async function sendFile(
  { installers, builds }: Omit<DownloadFileDeps, 'updates'>,
  platform: InstallerPlatform,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const foundFile = await installers.find(platform);
  if (!foundFile) return sendNotReady(builds, reply, platform);
  const etag = `"${foundFile.sha256.toString('hex')}"`;
  const digest = `sha-256=:${foundFile.sha256.toString('base64')}:`;
  // Caches must revalidate installers, so that a new installer is available immediately.
  reply.headers({ etag, 'cache-control': 'no-cache' });
  const verdict = settleConditions(request.raw.headers, etag);
  if (verdict === 'unchanged') return reply.code(304).send();
  if (verdict === 'changed') return reply.code(412).type('text/plain').send(answerWords.changed);

  reply.headers({ 'content-type': types[platform], 'accept-ranges': 'bytes', 'repr-digest': digest });
  const isWholeFile = verdict === 'send whole' || request.headers.range === undefined;
  // The digest (RFC 9530) covers the content sent, so ranges and HEAD responses have none.
  if (isWholeFile && request.method === 'GET') reply.header('content-digest', digest);
  reply.header('content-disposition', asAttachment(downloadName(platform, codeOf(request))));
  return reply.sendFile(foundFile.file, foundFile.folder, {
    acceptRanges: verdict === 'send',
    contentType: false,
    cacheControl: false,
    etag: false,
  });
}

const endings = { windows: 'exe', macos: 'pkg', linux: 'deb' } as const satisfies Record<InstallerPlatform, string>;

/** `Porchlight [ABCD-EFGH].exe` with a valid code (9.12, P3.4), else `Porchlight.exe`. `code`: unchecked input. */
function downloadName(platform: InstallerPlatform, code: unknown): string {
  const validCode = typeof code === 'string' && platform !== 'linux' ? readDeviceCode(code) : null;
  return `${brand.name}${validCode ? ` [${validCode}]` : ''}.${endings[platform]}`;
}

/** A Content-Disposition header; non-ASCII names are encoded (RFC 6266). */
function asAttachment(name: string): string {
  const asciiName = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  return `attachment; filename="${asciiName}"${asciiName === name ? '' : `; filename*=UTF-8''${encodeURIComponent(name)}`}`;
}

const codeOf = ({ query }: FastifyRequest) => (query as { code?: unknown }).code;

/** In seconds, by the state of the build. */
const retryAfter = { building: 60, failed: 600 } as const;

async function sendNotReady(builds: DownloadFileDeps['builds'], reply: FastifyReply, platform: InstallerPlatform) {
  const { state } = await builds.request();
  if (state === 'idle') return sendPage(reply, 404, missingPage(platform));
  return sendPage(reply.header('retry-after', retryAfter[state]), 503, notReadyPage(platform, state));
}

const sendUnknown = (reply: FastifyReply) => sendPage(reply, 404, missingPage(null));

const sendPage = (reply: FastifyReply, status: number, page: string) =>
  reply.code(status).type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page);

/** The response to an unsatisfiable range contains the file's length; other errors use the general handler. */
function rangeErrorHandler(error: FastifyError & { headers?: Record<string, string> }, _request: FastifyRequest, reply: FastifyReply) {
  if (error.statusCode !== 416) throw error;
  for (const name of ['content-disposition', 'content-digest', 'repr-digest', 'content-type']) reply.removeHeader(name);
  return reply
    .code(416)
    .headers(error.headers ?? {})
    .type('text/plain; charset=utf-8')
    .send(answerWords.noPart);
}
