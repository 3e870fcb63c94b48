/** What agents may run: the rules of the person, how careful each surface is, and the forms to try and add rules. */

import { useEffect } from 'preact/hooks';
import { visible } from '../ui/visible';
import { openForm } from './actions';
import { RuleRow } from './RuleRow';
import { learnPolicy, policy, watchPolicy } from './state';
import { byStance, STANCES } from './words';
import './policy.css';

export default function PolicyPanel() {
  useEffect(() => {
    void learnPolicy();
    return watchPolicy();
  }, []);
  const shown = policy.value;
  return (
    <>
      <h2>Policy</h2>
      <div class="answers policy-do">
        <button class="button" onClick={() => openForm('add')}>
          Add a rule
        </button>
        <button class="button" onClick={() => openForm('test')}>
          Test a command
        </button>
      </div>
      {shown && (
        <>
          {shown.files
            .filter((file) => file.problem)
            .map((file) => (
              <p key={file.path} class="policy-problem" role="alert">
                <strong class="danger">A file is not in force.</strong> The last good rules are. {file.problem}
                <code>{visible(file.path)}</code>
              </p>
            ))}
          <h2>Rules in force</h2>
          {shown.rules.length === 0 ? (
            <p class="dim policy-empty">No rules of your own yet. “Always” in a request adds one, or do it here.</p>
          ) : (
            <ul class="rules" aria-label="Rules in force">
              {shown.rules.map((rule) => (
                <li key={`${rule.everywhere ?? false} ${rule.name}`}>
                  <RuleRow rule={rule} />
                </li>
              ))}
            </ul>
          )}
          <h2>Without a rule</h2>
          <dl class="stances">
            {byStance(shown.defaults).map(({ stance, surfaces }) => (
              <div key={stance}>
                <dt>{surfaces.join(', ')}</dt>
                <dd>
                  <strong>{stance}</strong> <span class="dim">{STANCES[stance]}</span>
                </dd>
              </div>
            ))}
          </dl>
          <h2>Files</h2>
          <ul class="policy-files">
            {shown.files.map((file, index) => (
              <li key={file.path}>
                {index === 0 ? 'All workspaces' : 'This workspace'} {!file.present && <span class="dim">(not there yet)</span>}
                <code class="dim policy-path" title={visible(file.path)}>
                  <bdi>{visible(file.path)}</bdi>
                </code>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
