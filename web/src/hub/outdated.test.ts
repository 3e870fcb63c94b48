import { expect, test } from 'vitest';
import { scriptOf } from './outdated';

test('the script that a page begins with is found', () => {
  expect(scriptOf('<head><script type="module" crossorigin src="/assets/index-a1b2.js"></script></head>')).toBe('/assets/index-a1b2.js');
  expect(scriptOf('<h1>The workbench is not part of this build</h1>')).toBeUndefined();
});
