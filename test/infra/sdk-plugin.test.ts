import { expect, test } from 'vitest';
import { makeKeysLiteral, nameByCall, versionIn, withoutErrorClasses } from '../../infra/sdk-plugin.ts';

test("writes out computed keys by the module's own constants", () => {
  const module = ['const _eQN = "ec2QueryName";', 'const A = [0, { [_eQN]: `Value`, [_xN]: _eQN }, [_eQN]];'];
  expect(makeKeysLiteral(module.join('\n')).split('\n')[1]).toBe(
    'const A = [0, { "ec2QueryName": `Value`, [_xN]: _eQN }, [_eQN]];',
  );
});

test("passes a field's two names to a function, and leaves other objects as they are", () => {
  const line =
    'const A = [[0, { [_eQN]: `Min`,\n    [_xN]: _m }], [0, { [_eQN]: `Max` }], [1, { [_xN]: _m, [_eQN]: _M }]];';
  const [first, second, ...added] = nameByCall(line).split('\n');
  expect(first).toBe(
    'const A = [[0, /* @__PURE__ */ twoNames(`Min`, _m)], [0, { [_eQN]: `Max` }], [1, { [_xN]: _m, [_eQN]: _M }]];',
  );
  expect(second).toBe('function twoNames(ec2QueryName, xmlName) { return { ec2QueryName, xmlName }; }');
  expect(added).toEqual(['']);
  expect(nameByCall('const B = 1;')).toBe('const B = 1;');
});

test('registers no error but the base class', () => {
  const base = '_s_registry.registerError(KMSServiceException$, KMSServiceException);';
  const module = [base, 'n0_registry.registerError(DisabledException$, DisabledException);', 'const A = 1;'];
  expect(withoutErrorClasses(module.join('\n'))).toBe([base, '', 'const A = 1;'].join('\n'));
});

test('leaves nothing of a package.json but the version', () => {
  expect(versionIn('{ "name": "a", "version": "3.1.0", "scripts": { "build": "tsc" } }')).toBe(
    '{"version":"3.1.0"}',
  );
});
