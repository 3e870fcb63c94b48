import { needs } from './needs';

export function Attention() {
  return (
    <aside class="attention" aria-label="What needs you">
      <h2>Needs you</h2>
      {needs.value.length}
    </aside>
  );
}
