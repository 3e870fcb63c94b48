import { expect, test } from 'vitest';
import CSS from './tokens.css?raw';

/** The plain colours of a theme. */
function colours(block: string): Map<string, string> {
  return new Map([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name, value]) => [name!, value!]));
}

const [dark, light] = CSS.split(":root[data-theme='light']").map((block) => colours(block!));
const THEMES = { dark: dark!, light: new Map([...dark!, ...light!]) };

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

/** Where a colour stands in the circle of them, in degrees. */
function hue(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as [number, number, number];
  const [low, high] = [Math.min(red, green, blue), Math.max(red, green, blue)];
  const sector = high === red ? (green - blue) / (high - low) : high === green ? 2 + (blue - red) / (high - low) : 4 + (red - green) / (high - low);
  return (sector * 60 + 360) % 360;
}

const ON_ANY_SURFACE = ['text', 'dim', 'person', 'agent', 'agent-2', 'agent-3', 'agent-4', 'ok', 'warn', 'danger'];

for (const [name, theme] of Object.entries(THEMES)) {
  test(`all text of the ${name} theme can be read`, () => {
    for (const surface of ['ground', 'surface', 'raised']) {
      for (const text of ON_ANY_SURFACE) {
        expect(contrast(theme.get(text)!, theme.get(surface)!), `${text} on ${surface}`).toBeGreaterThanOrEqual(4.5);
      }
    }
    expect(contrast(theme.get('on-accent')!, theme.get('person')!), 'on-accent').toBeGreaterThanOrEqual(4.5);
  });

  test(`agents are violet and its neighbours in the ${name} theme, and nobody else is`, () => {
    for (const agent of ['agent', 'agent-2', 'agent-3', 'agent-4']) {
      expect(hue(theme.get(agent)!), agent).toBeGreaterThan(hue(theme.get('person')!) + 20);
      expect(hue(theme.get(agent)!), agent).toBeLessThan(320);
    }
    for (const state of ['ok', 'warn', 'danger']) expect(Math.abs(hue(theme.get(state)!) - 265), state).toBeGreaterThan(90);
  });

  test(`code and what programs print can be read in the ${name} theme`, () => {
    const printed = [...theme.keys()].filter((token) => /^(code|term)-/.test(token) && token !== 'term-black');
    expect(printed.length).toBe(6 + 15);
    for (const token of printed) {
      expect(contrast(theme.get(token)!, theme.get('ground')!), token).toBeGreaterThanOrEqual(4.5);
    }
    // Black is for backgrounds, but a program that prints with it is still seen.
    expect(contrast(theme.get('term-black')!, theme.get('ground')!), 'term-black').toBeGreaterThanOrEqual(3);
  });
}
