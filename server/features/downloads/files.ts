import fastifyStatic from '@fastify/static';
import { type InstallerPlatform, installerPlatform } from '@porchlight/contract/downloads.ts';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { settleConditions } from './conditions.ts';
import { asAttachment, downloadName } from './file-name.ts';
import type { Installers } from './installers.ts';
import { missingPage } from './missing-page.ts';
import type { Updates } from './updates.ts';

const types = {
  windows: 'application/vnd.microsoft.portable-executable',
  macos: 'application/octet-stream',
  linux: 'application/vnd.debian.binary-package',
} as const satisfies Record<InstallerPlatform, string>;

/**
 * `/downloads/windows`, `/downloads/macos` and `/downloads/linux`, whole or in part, and beside each its `.sha256`; the files of an update under their hash.
 * Nothing else of the folder has an address.
 */
export async function downloadFiles(app: FastifyInstance, installers: Installers, updates: Updates): Promise<void> {
  const route = { method: ['GET', 'HEAD'], schema: { hide: true } };
  await app.register(async (scope) => {
    await scope.register(fastifyStatic, { serve: false });
    scope.setErrorHandler(withoutSuchAPart);
    for (const platform of installerPlatform.options) {
      scope.route({ ...route, url: `/downloads/${platform}`, handler: (request, reply) => sendFile(installers, platform, request, reply) });
      scope.route({
        ...route,
        url: `/downloads/${platform}.sha256`,
        handler: async (request, reply) => {
          const found = await installers.find(platform);
          if (!found) return missing(reply, platform);
          const name = downloadName(platform, codeOf(request));
          return reply
            .type('text/plain; charset=utf-8')
            .header('cache-control', 'no-cache')
            .send(`${found.sha256.toString('hex')}  ${name}\n`);
        },
      });
    }
    scope.route({
      ...route,
      url: '/downloads/update/:sha256',
      handler: async (request, reply) => {
        const found = await updates.find((request.params as { sha256: string }).sha256);
        if (!found) return missing(reply, null);
        // Under its hash it can never be another file.
        reply.headers({ 'content-type': 'application/gzip', 'cache-control': 'public, max-age=31536000, immutable' });
        return reply.sendFile(found.file, found.folder, { contentType: false, cacheControl: false });
      },
    });
    for (const url of ['/downloads', '/downloads/*'])
      scope.route({ ...route, url, handler: async (_request, reply) => missing(reply, null) });
  });
}

async function sendFile(installers: Installers, platform: InstallerPlatform, request: FastifyRequest, reply: FastifyReply) {
  const found = await installers.find(platform);
  if (!found) return missing(reply, platform);
  const etag = `"${found.sha256.toString('hex')}"`;
  const digest = `sha-256=:${found.sha256.toString('base64')}:`;
  // Asked for again each time: a new installer must not wait for a cache.
  reply.headers({ etag, 'cache-control': 'no-cache' });
  const verdict = settleConditions(request.raw.headers, etag);
  if (verdict === 'unchanged') return reply.code(304).send();
  if (verdict === 'changed') return reply.code(412).type('text/plain').send('This is another file by now.');

  reply.headers({ 'content-type': types[platform], 'accept-ranges': 'bytes', 'repr-digest': digest });
  const whole = verdict === 'send whole' || request.headers.range === undefined;
  // RFC 9530: the digest of what is sent, so not of a part, and not of the nothing that answers HEAD.
  if (whole && request.method === 'GET') reply.header('content-digest', digest);
  reply.header('content-disposition', asAttachment(downloadName(platform, codeOf(request))));
  return reply.sendFile(found.file, found.folder, {
    acceptRanges: verdict === 'send',
    contentType: false,
    cacheControl: false,
    etag: false,
  });
}

const codeOf = ({ query }: FastifyRequest) => (query as { code?: unknown }).code;

function missing(reply: FastifyReply, platform: InstallerPlatform | null) {
  return reply.code(404).type('text/html; charset=utf-8').header('cache-control', 'no-store').send(missingPage(platform));
}

/** Who asks for a part behind the end is told how long the file is; every other error is for the one place that knows them. */
function withoutSuchAPart(error: FastifyError & { headers?: Record<string, string> }, _request: FastifyRequest, reply: FastifyReply) {
  if (error.statusCode !== 416) throw error;
  for (const name of ['content-disposition', 'content-digest', 'repr-digest', 'content-type']) reply.removeHeader(name);
  return reply
    .code(416)
    .headers(error.headers ?? {})
    .type('text/plain; charset=utf-8')
    .send('The file has no such part.');
}
