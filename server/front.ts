import { brand } from '@porchlight/contract/brand.ts';
import type { AppDeps } from './app-types.ts';
import type { Config } from './config.ts';
import type { CallObserver } from './http/direct-calls.ts';
import { healthRoutes } from './http/health.ts';
import { httpServer } from './http/http.ts';
import { ownCalls } from './http/own-calls.ts';
import { serveOnly } from './http/role-routes.ts';
import { securityTxt } from './http/security-txt.ts';
import { serverAdmission } from './http/server-admission.ts';
import { originsOf } from './http/third-parties.ts';
import { unreadableCallers } from './http/unreadable-callers.ts';
import { wwwRedirect } from './http/www-redirect.ts';

/** Lets calls in as far as they can be answered, with what the server answers without features. */
export async function openFront(config: Config, deps: AppDeps, { https, observer }: { https: boolean; observer: CallObserver }) {
  const { db, clock, log, traffic, shipped } = deps;
  const { public_url, trust_proxy } = config;
  const { admission, refusedAgent, close } = serverAdmission({ ...deps, config });
  const http = await httpServer(log, {
    ...{ trust_proxy, traffic, admission, observer, https, version: shipped.version, name: brand.name },
    unreadable: unreadableCallers(db, clock, log),
    origins: originsOf(config),
  });
  const makeOwnCall = ownCalls(http);
  serveOnly(http, config.role);
  wwwRedirect(http, public_url);
  healthRoutes(http, db, clock);
  securityTxt(http, clock, { contact: brand.support.email, public_url });
  return {
    ...{ http, admission, refusedAgent, makeOwnCall },
    async close() {
      close();
      await http.close();
    },
  };
}
