import type { Db } from '@porchlight/server/db/open.ts';
import { type Person, registeredPerson } from '../../people.ts';
import type { ServerAndMailbox } from '../../world.ts';
import type { agentPlayer, PlayedAgent } from './played-agents.ts';

export interface Household {
  holder: Person;
  agents: PlayedAgent[];
}

const devicesEach = 5;

/** Accounts with five devices each. A drill is one caller, so the limits of callers are lifted meanwhile. */
export async function households(
  server: ServerAndMailbox,
  db: Db,
  player: ReturnType<typeof agentPlayer>,
  count: number,
): Promise<Household[]> {
  const all: Household[] = [];
  for (let household = 0; household < count; household++) {
    const holder = await registeredPerson(server);
    await liftLimits(db);
    const agents: PlayedAgent[] = [];
    for (let device = 0; device < devicesEach; device++) agents.push(await player.start(holder));
    all.push({ holder, agents });
  }
  return all;
}

export const liftLimits = (db: Db) => db.deleteFrom('rate_counts').execute();
