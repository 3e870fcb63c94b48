import { expect, test } from 'vitest';
import { wordsOf } from './line';

test('a line becomes words', () => {
  expect(wordsOf(' my-agent  --acp ')).toEqual(['my-agent', '--acp']);
  expect(wordsOf(`python3 '/a b/agent.py' "x \\"y\\" $z" a\\ b ''`)).toEqual(['python3', '/a b/agent.py', 'x "y" $z', 'a b', '']);
  expect(wordsOf('')).toEqual([]);
  expect(wordsOf("it's")).toBeNull();
});
