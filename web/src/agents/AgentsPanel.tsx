export default function AgentsPanel() {
  return <h2>AgentsPanel</h2>;
}
