import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import type { Family } from '../ec2/families.ts';
import { buildUserData } from '../user-data-builder.ts';
import { agentConfiguration } from './agent-configuration.ts';

const AL2023: Family = 'amazon-linux-2023';
const BOTTLEROCKET: Family = 'bottlerocket/aws-ecs-2';
const WINDOWS: Family = 'windows/2022-English-Core';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const clusterIn = (text: string, family: Family | undefined) =>
  agentConfiguration(base64(text), family)?.cluster;

const MULTIPART = (encoding: string, script: string) =>
  [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="==BOUNDARY=="',
    '',
    '--==BOUNDARY==',
    'Content-Type: text/cloud-config; charset="us-ascii"',
    '',
    '#cloud-config',
    'packages: [amazon-efs-utils]',
    '',
    '--==BOUNDARY==',
    'Content-Type: text/x-shellscript; charset="us-ascii"',
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    script,
    '--==BOUNDARY==--',
    '',
  ].join('\r\n');

const SCRIPT = '#!/bin/bash\n\necho ECS_CLUSTER=demo >> /etc/ecs/ecs.config\n';

describe('the cluster that user data names', () => {
  test.each([
    ['a line that is echoed', SCRIPT],
    ['one in quotation marks', '#!/bin/bash\necho "ECS_CLUSTER=demo" >> /etc/ecs/ecs.config'],
    ['a value in quotation marks', "#!/bin/bash\necho ECS_CLUSTER='demo' > /etc/ecs/ecs.config"],
    ['a here document', "#!/bin/bash\ncat <<'EOF' > /etc/ecs/ecs.config\nECS_CLUSTER=demo\nEOF"],
    ['printf', '#!/bin/sh\nprintf "ECS_CLUSTER=demo\\nECS_LOGLEVEL=info\\n" > /etc/ecs/ecs.config'],
    ['an ARN', '#!/bin/sh\necho ECS_CLUSTER=arn:aws:ecs:eu-central-1:123456789012:cluster/demo'],
    ['the last of two', '#!/bin/sh\necho ECS_CLUSTER=old\necho ECS_CLUSTER=demo'],
    ['one before a comment', '#!/bin/sh\necho ECS_CLUSTER=demo\n # echo ECS_CLUSTER=old'],
    ['a cloud-config', '#cloud-config\nruncmd:\n  - echo ECS_CLUSTER=demo >> /etc/ecs/ecs.config'],
    ['a part of a MIME text', MULTIPART('7bit', SCRIPT)],
    ['a part of a MIME text in base64', MULTIPART('base64', base64(SCRIPT))],
  ])('Linux: %s', (_, text) => {
    for (const family of [AL2023, undefined]) expect(clusterIn(text, family)).toBe('demo');
  });

  it('is read from compressed data, too', () => {
    const compressed = gzipSync(SCRIPT).toString('base64');
    expect(agentConfiguration(compressed, AL2023)?.cluster).toBe('demo');
  });

  test.each([
    ['nothing', ''],
    ['a script that is none to cloud-init', 'echo ECS_CLUSTER=demo >> /etc/ecs/ecs.config'],
    ['settings of Bottlerocket', '[settings.ecs]\ncluster = "demo"'],
    ['a script for Windows', "<powershell>\nInitialize-ECSAgent -Cluster 'demo'\n</powershell>"],
    ['a variable of another name', '#!/bin/sh\nOLD_ECS_CLUSTER=demo'],
  ])('Linux: none by %s', (_, text) => {
    expect(agentConfiguration(base64(text), AL2023)).toEqual({ cluster: undefined, attributes: {} });
  });

  test.each([
    ['a table', '[settings.ecs]\ncluster = "demo"'],
    ['dotted keys', 'settings.ecs.cluster = "demo"'],
    [
      'a table beside others',
      '[settings.host-containers.admin]\nenabled = true\n[settings.ecs]\ncluster="demo"',
    ],
  ])('Bottlerocket: %s', (_, text) => {
    expect(clusterIn(text, BOTTLEROCKET)).toBe('demo');
  });

  it("Bottlerocket: none without settings, and a script doesn't even boot", () => {
    expect(agentConfiguration(undefined, BOTTLEROCKET)).toEqual({ cluster: undefined, attributes: {} });
    expect(agentConfiguration(base64(SCRIPT), BOTTLEROCKET)).toBeUndefined();
  });

  test.each([
    ['in quotation marks', "Initialize-ECSAgent -Cluster 'demo' -EnableTaskIAMRole"],
    ['without', 'Initialize-ECSAgent -EnableTaskIAMRole -Cluster demo'],
    ['over two lines', 'Initialize-ECSAgent `\r\n  -Cluster "demo"'],
  ])('Windows: %s', (_, command) => {
    expect(clusterIn(`<powershell>\nImport-Module ECSTools\n${command}\n</powershell>`, WINDOWS)).toBe(
      'demo',
    );
  });

  it('Windows: none if the command names none, and no agent if it is not run', () => {
    const script = '<powershell>\nInitialize-ECSAgent -EnableTaskIAMRole\n</powershell>';
    expect(agentConfiguration(base64(script), WINDOWS)).toEqual({ cluster: undefined, attributes: {} });
    expect(agentConfiguration(base64("Initialize-ECSAgent -Cluster 'demo'"), WINDOWS)).toBeUndefined();
    expect(agentConfiguration(undefined, WINDOWS)).toBeUndefined();
  });

  test.each([AL2023, BOTTLEROCKET, WINDOWS])(
    'comes with attributes, as builders write them for %s',
    (family) => {
      const instanceAttributes = { stack: 'blue' };
      const userData = buildUserData({ image: { family }, cluster: 'demo', instanceAttributes });
      expect(agentConfiguration(userData, family)).toEqual({
        cluster: 'demo',
        attributes: instanceAttributes,
      });
    },
  );
});
