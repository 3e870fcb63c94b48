/**
 * Whether somebody looks. A glance elsewhere changes nothing; who is away for longer needs no stream, and the hub sends
 * what is then on the screen when they are back.
 */

const AWAY = 10_000;

export class Presence {
  private inSight = false;
  private timer = 0;
  private here = false;
  private readonly onVisibility = () => this.look();

  constructor(private readonly told: { come(): void; leave(): void }) {
    document.addEventListener('visibilitychange', this.onVisibility);
  }

  shown(inSight: boolean): void {
    this.inSight = inSight;
    this.look();
  }

  dispose(): void {
    clearTimeout(this.timer);
    document.removeEventListener('visibilitychange', this.onVisibility);
  }

  private look(): void {
    clearTimeout(this.timer);
    if (this.inSight && document.visibilityState !== 'hidden') {
      if (!this.here) {
        this.here = true;
        this.told.come();
      }
    } else if (this.here) {
      this.timer = window.setTimeout(() => {
        this.here = false;
        this.told.leave();
      }, AWAY);
    }
  }
}
