import type { Permission, PermissionScope } from './permission.ts';

/** Lets the function ask the hooks it was deployed with, and no other function. */
export function hookPermissions({ props: { onTrialPassed, beforeBatch } }: PermissionScope): Permission[] {
  const hooks = [onTrialPassed, beforeBatch].flatMap((hook) => (hook === undefined ? [] : [String(hook)]));
  if (hooks.length === 0) return [];
  return [{ sid: 'AskHooks', actions: ['lambda:InvokeFunction'], resources: [...new Set(hooks)] }];
}
