export function AgentChips() {
  return null;
}
