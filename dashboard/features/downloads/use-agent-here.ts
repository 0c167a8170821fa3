import { useEffect, useState } from 'react';
import { answersHere } from '../../integrations/local-agent.ts';

/** Whether the program answers on this computer; undefined until that is known. */
export function useAgentHere(): boolean | undefined {
  const [here, setHere] = useState<boolean>();
  useEffect(() => {
    void answersHere().then(setHere);
  }, []);
  return here;
}
