import type { OwnInvariant } from '../index.ts';

export const notAtNight: OwnInvariant = {
  number: 8,
  title: 'no instance is terminated before six in the morning',
  watch({ state }, ledger) {
    return (event) => {
      if (event.kind !== 'instance-terminating' || event.cause !== 'call') return;
      const hour = new Date(state.clock.now()).getUTCHours();
      ledger.expect(8, hour >= 6, () => `${event.instance.id} was terminated at ${hour} o'clock`);
    };
  },
};
