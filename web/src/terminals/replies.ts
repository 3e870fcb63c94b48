/**
 * The hub answers for the terminal: what it is, where the cursor is, which colours it has. It takes the questions out of
 * what it sends; this keeps xterm from answering any that come through, since an answer would be typed into the shell.
 */

import type { IDisposable, Terminal } from '@xterm/xterm';

/** `CSI … t` with one of these asks; others change the window or keep its title. */
const WINDOW_REPORTS = new Set([11, 13, 14, 15, 16, 18, 19, 20, 21]);

export function leaveAnswersToTheHub(term: Terminal): IDisposable[] {
  const { parser } = term;
  const taken = () => true;
  return [
    // What are you?
    parser.registerCsiHandler({ final: 'c' }, taken),
    parser.registerCsiHandler({ prefix: '>', final: 'c' }, taken),
    parser.registerCsiHandler({ prefix: '=', final: 'c' }, taken),
    parser.registerCsiHandler({ prefix: '>', final: 'q' }, taken),
    // How are you, where is the cursor?
    parser.registerCsiHandler({ final: 'n' }, taken),
    parser.registerCsiHandler({ prefix: '?', final: 'n' }, taken),
    // Which modes, which settings?
    parser.registerCsiHandler({ intermediates: '$', final: 'p' }, taken),
    parser.registerCsiHandler({ prefix: '?', intermediates: '$', final: 'p' }, taken),
    parser.registerCsiHandler({ prefix: '?', final: 'u' }, taken),
    parser.registerDcsHandler({ intermediates: '$', final: 'q' }, taken),
    parser.registerDcsHandler({ intermediates: '+', final: 'q' }, taken),
    parser.registerCsiHandler({ final: 't' }, ([what]) => WINDOW_REPORTS.has(Number(what))),
    // Which colours?
    ...[4, 10, 11, 12].map((number) => parser.registerOscHandler(number, (data) => data.includes('?'))),
  ];
}
