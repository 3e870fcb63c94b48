/** A dangerous request in the middle of the page. It waits to be read: Deny has the keyboard, Escape puts it away. */

import type { Approval } from '../commands';
import { ActorName } from '../ui/actor';
import { Dialog } from '../ui/Dialog';
import { Icon } from '../ui/Icon';
import { Age } from './Age';
import { Answers } from './Answers';
import { inDialog, putAway } from './arrivals';
import { Asked, headingOf } from './Asked';
import { ConsentDialog } from './ConsentDialog';
import { PairingDialog } from './PairingDialog';
import { useGuard } from './useGuard';

/** The dialogs that come by themselves. */
export function AttentionDialogs() {
  const approval = inDialog.value;
  return (
    <>
      {approval && <ApprovalDialog key={approval.id} approval={approval} />}
      <ConsentDialog />
      <PairingDialog />
    </>
  );
}

function ApprovalDialog({ approval }: { approval: Approval }) {
  const open = useGuard();
  return (
    <Dialog label={`${approval.agent} ${headingOf(approval)}`} class="approval-dialog" onClose={putAway}>
      <div class="approval" data-ready={open}>
        <header>
          <span class="card-title">
            <strong>
              <ActorName name={approval.agent} />
            </strong>{' '}
            {headingOf(approval)}
            {approval.dangerous && <span class="danger"> something dangerous</span>}
          </span>
          <span class="dim card-age">
            <Age sinceMs={approval.askedAtMs} />
          </span>
          <button class="icon-button" aria-label="Decide later" title="Decide later (Escape)" onClick={putAway}>
            <Icon name="close" />
          </button>
        </header>
        <Asked approval={approval} />
        <Answers approval={approval} inDialog />
      </div>
    </Dialog>
  );
}
