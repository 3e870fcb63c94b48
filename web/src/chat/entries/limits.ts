/** What a field of a form takes, in words, and what the browser does not check by itself. */

import type { Field } from '../../commands';

/** `1 to 5`, `at least 2 characters`; nothing where all is taken. */
export function limitWords(field: Field): string {
  switch (field.input) {
    case 'number':
      return range(field.minimum, field.maximum, '');
    case 'text':
      return range(field.minLength, field.maxLength, ' characters');
    case 'many':
      return range(field.minItems, field.maxItems, ' of them');
    default:
      return '';
  }
}

function range(least: number | undefined, most: number | undefined, what: string): string {
  if (least === undefined) return most === undefined ? '' : `at most ${most}${what}`;
  if (most === undefined) return `at least ${least}${what}`;
  return `${least === most ? least : `${least} to ${most}`}${what}`;
}

/** Whether too few or too many values of a list are chosen. None at all is fine where none has to be. */
export function tooFewOrMany(field: Field, value: unknown): boolean {
  if (field.input !== 'many') return false;
  const chosen = Array.isArray(value) ? value.length : 0;
  if (chosen === 0 && !field.required) return false;
  return chosen < (field.minItems ?? 0) || chosen > (field.maxItems ?? Infinity);
}
