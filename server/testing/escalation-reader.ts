import type { incidentFamily } from './incident-family.ts';
import type { TestServer } from './world.ts';

export type Family = Awaited<ReturnType<typeof incidentFamily>>;

/** The subject of the second round of messages. */
export const unanswered = 'Nobody has answered yet: Den PC';

/** What an escalation has done, and how Bob answers it. */
export function escalationReader(server: () => TestServer) {
  const subjectsTo = async (email: string) => (await server().mailsTo(email)).map(({ subject }) => subject);
  const incidentOf = async (family: Family) => (await family.incidents())[0]?.uuid ?? '';
  const page = async (family: Family) => (await family.call(`GET /web/incidents/${await incidentOf(family)}`)).body;
  return {
    subjectsTo,
    incidentOf,
    page,
    countTo: async (email: string) => (await subjectsTo(email)).filter((subject) => subject === unanswered).length,
    escalationOf: async (family: Family) =>
      (await page(family)).escalation as unknown as { state: string; next: { words: string; time: string } | null },
    bobAnswers: async (family: Family, answer: string) =>
      family.asBob(`POST /guardian/:id/incidents/${await incidentOf(family)}`, { answer }),
    emailOfBob: (family: Family) => family.bob?.email ?? '',
  };
}
