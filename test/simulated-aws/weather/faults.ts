import { type Call, type Interceptor, Killed, LostAnswer } from '../account/call.ts';
import { AwsError, type Service } from '../account/operation.ts';

/** Kills the session at its nth call, which then has not taken effect. */
export function killBefore(numberInSession: number): Interceptor {
  return {
    before(call) {
      if (call.numberInSession === numberInSession) throw new Killed(`killed before ${call.key}`);
    },
  };
}

/** Kills the session at its nth call, which has taken effect all the same. */
export function killAfter(numberInSession: number): Interceptor {
  return {
    after(call) {
      if (call.numberInSession === numberInSession) throw new Killed(`killed after ${call.key}`);
    },
  };
}

/** Loses the answers of all calls that `matches` names; they take effect. */
export function loseAnswer(matches: (call: Call) => boolean): Interceptor {
  return {
    after(call) {
      if (matches(call)) throw new LostAnswer();
    },
  };
}

/** Shares of all calls, 0 to 1, that end badly. */
export interface FaultShares {
  /** A 5xx; half of them after the operation took effect, as the real ones may. */
  readonly serverErrors?: number;
  readonly lostAnswers?: number;
}

export function randomFaults(shares: FaultShares, seed: number): Interceptor {
  const random = randomNumbers(seed);
  const { serverErrors = 0, lostAnswers = 0 } = shares;
  return {
    before(call) {
      if (random() < serverErrors / 2) throw serverError(call.service);
    },
    after(call) {
      const chance = random();
      if (chance < serverErrors / 2) throw serverError(call.service);
      if (chance < serverErrors / 2 + lostAnswers) throw new LostAnswer();
    },
  };
}

const SERVER_ERRORS: Readonly<Record<Service, string>> = {
  autoscaling: 'InternalFailure',
  cloudwatch: 'InternalServiceError',
  cloudwatchlogs: 'ServiceUnavailableException',
  dynamodb: 'InternalServerError',
  ec2: 'InternalError',
  ecs: 'ServerException',
  elasticloadbalancing: 'InternalFailure',
  elasticloadbalancingv2: 'InternalFailure',
  eventbridge: 'InternalException',
  iam: 'ServiceFailure',
  kms: 'KMSInternalException',
  lambda: 'ServiceException',
  resourcegroupstaggingapi: 'InternalServiceException',
  sns: 'InternalError',
  ssm: 'InternalServerError',
  sts: 'InternalFailure',
};

/** Whether it is one of the codes of `serverErrors`. */
export const isServerError = (code: string) => Object.values(SERVER_ERRORS).includes(code);

const serverError = (service: Service) =>
  new AwsError(SERVER_ERRORS[service], 'An internal error has occurred', 500);

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
