import { useEffect, useState } from 'react';
import { answersHere } from '../../integrations/local-agent.ts';

/** Whether an agent runs on this computer; undefined until known. */
export function useAgentHere(): boolean | undefined {
  const [here, setHere] = useState<boolean>();
  useEffect(() => {
    void answersHere().then(setHere);
  }, []);
  return here;
}
