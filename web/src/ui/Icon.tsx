/** The icons of the workbench: one small set, 16 px, in the colour of the text. */

const PATHS = {
  files: 'M1.5 13V3.500h4.500l1.500 2h7V13z',
  search: 'M7 2.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9M10.300 10.300 14 14',
  agents: 'M8 3a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5M3 14c.6-3 2.600-4 5-4s4.400 1 5 4',
  activity: 'M1.500 8h3l2-5 3 10 2-5h3',
  policy: 'M8 1.500 13.500 4v4c0 3.500-2.500 5.500-5.500 6.500C5 13.500 2.500 11.500 2.500 8V4z',
  terminal: 'm3 4.500 3.500 3.500L3 11.500M8 12h5',
  file: 'M4 1.500h5.500L12.500 4.500v10H4zM9 1.500V5h3.500',
  close: 'm4 4 8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  split: 'M2 3h12v10H2zM8 3v10',
  splitDown: 'M2 3h12v10H2zM2 8h12',
  maximise: 'M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3',
  pin: 'M6 2h4l-.5 4.500L12 9H4l2.500-2.500zM8 9v5',
  flag: 'M4 14V2.500h8L10 5.500l2 3H4',
  chevronRight: 'm6 3.500 4.500 4.500L6 12.500',
  chevronDown: 'm3.500 6 4.500 4.500L12.500 6',
  copy: 'M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3',
  again: 'M13 8a5 5 0 1 1-1.500-3.500M13 2.500v3h-3',
  compare: 'M5 2v12M11 2v12M2 8h3M11 8h3',
  play: 'M4.500 3 12.500 8l-8 5z',
  pause: 'M5 3v10M11 3v10',
  theme: 'M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12',
  key: 'M10.500 2.500a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8.300 7.700 2.500 13.500V11',
  branch: 'M4.500 5.500v5M4.500 2.500a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3M4.500 10.500a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3M11.500 3.500a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3M11.500 6.500c0 3-7 1.500-7 4',
  replay: 'M2.500 8a5.500 5.500 0 1 0 1.700-4M4 1.500V4.500h3M8 5v3.500l2.300 1.300',
  edit: 'M11 2.500 13.500 5 5.500 13H3v-2.500zM9.500 4 12 6.500',
  remove: 'M3 4.500h10M6 4.500v-2h4v2M4.500 4.500l.5 9h6l.5-9',
  chat: 'M2 3h12v8H8l-3.500 3v-3H2zM5 6h6M5 8.500h4',
  back: 'M10 3.500 5.500 8l4.500 4.500',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  menu: 'M2 4h12M2 8h12M2 12h12',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
