import { expect, it } from 'vitest';
import { renameOver } from './rename-over.ts';

function stubborn(failureCount: number, code: string) {
  let tries = 0;
  const move = async () => {
    if (tries++ < failureCount) throw Object.assign(new Error(code), { code });
  };
  return { move, tries: () => tries };
}

it.each(['EPERM', 'EACCES', 'EBUSY'])('a file that another program has open briefly (%s) is replaced', async (code) => {
  const { move, tries } = stubborn(3, code);
  await renameOver('a', 'b', move);
  expect(tries()).toBe(4);
});

it('replacing a file fails when the file stays open, and at once for permanent errors', async () => {
  await expect(renameOver('a', 'b', stubborn(100, 'EPERM').move)).rejects.toMatchObject({ code: 'EPERM' });
  const { move, tries } = stubborn(100, 'ENOSPC');
  await expect(renameOver('a', 'b', move)).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(tries()).toBe(1);
});
