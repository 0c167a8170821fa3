import type { AlertAnswer } from '@porchlight/contract/detections.ts';

export function answerMessage({ answer, by, you }: AlertAnswer): string {
  if (answer === 'mine') return you ? 'You said: “It was me.”' : `${by} said: “It was me.”`;
  return you ? 'You said this is sorted.' : `${by} said this is sorted.`;
}
