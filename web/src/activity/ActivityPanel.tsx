export default function ActivityPanel() {
  return <h2>ActivityPanel</h2>;
}
