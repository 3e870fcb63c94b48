export default function SearchPanel() {
  return <h2>SearchPanel</h2>;
}
