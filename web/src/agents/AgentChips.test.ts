import { expect, test } from 'vitest';
import { fitting } from './AgentChips';

test('as many agents are named as there is room for beside the number of the others', () => {
  expect(fitting([100, 100, 100], 300, 3)).toBe(3);
  expect(fitting([100, 100, 100], 299, 3)).toBe(2);
  // The fourth is only counted, which takes room as well.
  expect(fitting([100, 100, 100], 300, 4)).toBe(2);
  expect(fitting([100], 80, 1)).toBe(0);
});
