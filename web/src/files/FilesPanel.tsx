export default function FilesPanel() {
  return <h2>FilesPanel</h2>;
}
