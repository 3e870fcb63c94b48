import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import { App } from './App';
import { watchAttention } from './attention/watch';
import { watchConversations } from './chat/actions';
import { connect } from './hub/link';
import { watchForUpgrades } from './hub/outdated';
import { watchTouches } from './layout/touches';
import { listenToKeys } from './palette/actions';
import { registerActions } from './registered';
import { watchHub } from './state/hub';
import { watchWorkbench } from './state/workbench';

watchHub();
watchWorkbench();
watchTouches();
watchForUpgrades();
watchConversations();
watchAttention();
registerActions();
listenToKeys();
render(<App />, document.getElementById('app')!);
void connect();
// Most people look at a terminal first: what draws it is on its way while the hub is asked what there is.
void import('./terminals/view').catch(() => {});
