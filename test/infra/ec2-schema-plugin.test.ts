import { expect, test } from 'vitest';
import { makeKeysLiteral } from '../../infra/ec2-schema-plugin.ts';

test("writes out computed keys by the module's own constants", () => {
  const module = ['const _eQN = "ec2QueryName";', 'const A = [0, { [_eQN]: `Value`, [_xN]: _eQN }, [_eQN]];'];
  expect(makeKeysLiteral(module.join('\n')).split('\n')[1]).toBe(
    'const A = [0, { "ec2QueryName": `Value`, [_xN]: _eQN }, [_eQN]];',
  );
});
