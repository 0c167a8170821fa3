// A remote-control tool that does nothing: a service with `--service`, else a program that waits.
import { loadServices } from '@porchlight/agent/os/windows/native/services.ts';
import { runAsService } from '@porchlight/agent/os/windows/services/run-as-service.ts';

const waitTimer = setInterval(() => {}, 60_000);
if (process.argv.includes('--service')) {
  const end = async () => clearInterval(waitTimer);
  void runAsService(
    loadServices(),
    async () => {},
    end,
    () => {},
  ).then(() => process.exit(0));
}
