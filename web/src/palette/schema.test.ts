import { expect, test } from 'vitest';
import { fieldsOf, valueOf } from './schema';

const SCHEMA = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string', description: 'Which one.' },
    count: { type: ['integer', 'null'] },
    force: { type: 'boolean' },
    kind: { $ref: '#/$defs/Kind', description: 'What.' },
    ranges: { type: 'array', items: {} },
  },
  $defs: { Kind: { oneOf: [{ const: 'a' }, { const: 'b' }] } },
};

test('each simple property is a field of its kind', () => {
  const fields = fieldsOf(SCHEMA);
  expect(fields.map((field) => [field.name, field.type, field.required])).toEqual([
    ['id', 'text', true],
    ['count', 'number', false],
    ['force', 'choice', false],
    ['kind', 'choice', false],
    ['ranges', 'json', false],
  ]);
  expect(fields[3]).toMatchObject({ choices: ['a', 'b'], description: 'What.' });
});

test('what was entered gets the type that the command takes', () => {
  const [id, count, force, kind, ranges] = fieldsOf(SCHEMA);
  expect(valueOf(id!, 't1')).toBe('t1');
  expect(valueOf(count!, '3')).toBe(3);
  expect(valueOf(count!, '')).toBeUndefined();
  expect(valueOf(force!, 'true')).toBe(true);
  expect(valueOf(kind!, 'a')).toBe('a');
  expect(valueOf(ranges!, '[1]')).toEqual([1]);
  expect(() => valueOf(ranges!, '[1')).toThrow('ranges is no JSON');
});
