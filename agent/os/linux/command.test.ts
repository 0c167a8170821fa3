import { expect, it } from 'vitest';
import { ready, run, stat } from '../../testing/programs.ts';
import { commandOf } from './command.ts';

it('[P15.3] the arguments of a process are those that it was started with, with their spaces and accents and without the name of its program', async () => {
  const args = ['-c', 'sleep 60; true', '/home/ann/My Files/Büro.vnc', '', 'office:1'];
  const { pid } = run('/bin/bash', args);
  await ready(pid, '/usr/bin/bash');
  expect(commandOf({ pid, started: stat(pid).started })).toMatchObject({
    args: args.filter((one) => one !== ''),
    line: '/bin/bash -c sleep 60; true /home/ann/My Files/Büro.vnc office:1',
  });
  expect(commandOf({ pid, started: 'another' })).toBeNull();
});
