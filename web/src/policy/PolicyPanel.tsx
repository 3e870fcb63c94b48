export default function PolicyPanel() {
  return <h2>PolicyPanel</h2>;
}
