import type { State } from '../state.ts';
import type { Service, ServiceDeployment } from './model.ts';

/** The service's latest begins; one that goes on still is given up for it. */
export function beginServiceDeployment(state: State, service: Service) {
  const { deployment, serviceDeployments } = service;
  if (service.controller !== 'ECS') return;
  const now = state.clock.now();
  const [latest] = serviceDeployments;
  if (latest && latest.finishedAtMs === undefined)
    Object.assign(latest, { status: 'STOPPED', stoppedAtMs: now, finishedAtMs: now });
  serviceDeployments.unshift({
    id: state.ids.next('', 22),
    createdAtMs: now,
    target: deployment,
    status: 'IN_PROGRESS',
    statusReason: undefined,
    finishedAtMs: undefined,
    stoppedAtMs: undefined,
    rollback: undefined,
  });
}

/**
 * What becomes of the latest. One that fails and isn't rolled back counts as stopped.
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_ServiceDeployment.html
 */
export function endServiceDeployment(
  state: State,
  service: Service,
  how: 'completed' | 'failed' | 'rolls-back',
) {
  const [latest] = service.serviceDeployments;
  if (latest === undefined || latest.finishedAtMs !== undefined) return;
  const now = state.clock.now();
  if (how === 'completed') finish(latest, latest.rollback ? 'ROLLBACK_SUCCESSFUL' : 'SUCCESSFUL', now);
  else latest.statusReason = service.deployment.rolloutStateReason;
  if (how === 'failed') {
    finish(latest, 'STOPPED', now);
    latest.stoppedAtMs = now;
  }
  if (how !== 'rolls-back') return;
  latest.status = 'ROLLBACK_IN_PROGRESS';
  latest.rollback = { startedAtMs: now, reason: latest.statusReason };
}

function finish(one: ServiceDeployment, status: ServiceDeployment['status'], now: number) {
  one.status = status;
  one.finishedAtMs = now;
}
