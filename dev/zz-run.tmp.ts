import { startWorld } from './world.ts';
const world = await startWorld({ env: { INSTALLERS_BUILD: 'on' } });
console.log(world.url, world.dataDir);
const t = Date.now();
let last='';
for (;;) {
  const a = await (await fetch(world.url + '/api/downloads')).text();
  if (a !== last) console.log(((Date.now()-t)/1000).toFixed(0), a), last = a;
  if (/"idle"|failed/.test(a)) break;
  await new Promise(r => setTimeout(r, 500));
}
const { execSync } = await import('node:child_process');
console.log(execSync(`ls -la ${world.dataDir} ${world.dataDir}/installers; grep operator ${world.dataDir}/logs/server.log`).toString());
await world.close();
