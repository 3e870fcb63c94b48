/** The fields of a form from the JSON schema of a command's arguments. What is no simple value is given as JSON. */

export type Field = { name: string; description: string; required: boolean } & (
  | { type: 'text' | 'number' | 'json' }
  | { type: 'choice'; choices: string[] }
);

type Schema = { [key: string]: unknown };

export function fieldsOf(schema: Schema): Field[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const definitions = isObject(schema['$defs']) ? schema['$defs'] : {};
  return Object.entries(properties).map(([name, value]) => {
    const property = resolved(isObject(value) ? value : {}, definitions);
    const description = typeof property['description'] === 'string' ? property['description'] : '';
    return { name, description, required: required.includes(name), ...kindOf(property) };
  });
}

function resolved(property: Schema, definitions: Schema): Schema {
  const name = typeof property['$ref'] === 'string' ? property['$ref'].split('/').at(-1)! : undefined;
  const target = name === undefined ? undefined : definitions[name];
  return isObject(target) ? { ...target, ...property } : property;
}

function kindOf(property: Schema): { type: 'text' | 'number' | 'json' } | { type: 'choice'; choices: string[] } {
  const types = [property['type']].flat().filter((type) => type !== 'null');
  const choices = choicesOf(property);
  if (choices) return { type: 'choice', choices };
  if (types.length === 1) {
    switch (types[0]) {
      case 'string':
        return { type: 'text' };
      case 'integer':
      case 'number':
        return { type: 'number' };
      case 'boolean':
        return { type: 'choice', choices: ['true', 'false'] };
    }
  }
  return { type: 'json' };
}

function choicesOf(property: Schema): string[] | undefined {
  if (Array.isArray(property['enum'])) return property['enum'].filter((one) => typeof one === 'string');
  const options = property['oneOf'] ?? property['anyOf'];
  if (!Array.isArray(options)) return undefined;
  const constants = options.map((option) => (isObject(option) ? option['const'] : undefined));
  return constants.every((one) => typeof one === 'string') ? (constants as string[]) : undefined;
}

/** What was entered, as the command takes it; `undefined` when nothing was. Fails when it is no JSON where that is needed. */
export function valueOf(field: Field, entered: FormDataEntryValue | null): unknown {
  const text = typeof entered === 'string' ? entered : '';
  if (text === '') return field.required && field.type === 'text' ? '' : undefined;
  switch (field.type) {
    case 'number':
      return Number(text);
    case 'json':
      try {
        return JSON.parse(text) as unknown;
      } catch {
        throw new Error(`${field.name} is no JSON`);
      }
    case 'choice':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'text':
      return text;
  }
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
