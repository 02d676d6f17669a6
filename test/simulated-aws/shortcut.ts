import type { InitializeMiddleware, MetadataBearer } from '@smithy/types';
import { SERVICES, type Service } from './operation.ts';
import type { Session } from './session.ts';

/** What is used here of an SDK client. */
interface Client {
  readonly config: { readonly serviceId: string };
  readonly middlewareStack: {
    add(
      middleware: InitializeMiddleware<object, MetadataBearer>,
      options: { readonly step: 'initialize'; readonly priority: 'high' },
    ): void;
  };
}

/**
 * Lets SDK clients reach the account without signing, bytes and retries in between, at a fifth of the time: for sweeps of
 * thousands of rolls, which are about decisions. Commands and pagination stay the SDK's own.
 */
export function shortcut(clients: readonly Client[], session: Session): void {
  for (const { config, middlewareStack } of clients) {
    const service = serviceOf(config.serviceId);
    middlewareStack.add(
      (_next, { commandName = '' }) =>
        async ({ input }) => {
          const operation = commandName.replace(/Command$/, '');
          const output = await session.perform(service, operation, structuredClone(input));
          return { response: {}, output: { ...structuredClone(output), $metadata: {} } };
        },
      { step: 'initialize', priority: 'high' },
    );
  }
}

function serviceOf(serviceId: string): Service {
  const service = SERVICES.find((each) => each === serviceId.toLowerCase().replaceAll(' ', ''));
  if (service === undefined) throw new Error(`${serviceId} is not simulated`);
  return service;
}
