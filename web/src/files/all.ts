/** All files that git would see, for finding one by its name. Kept, so that the list is there at once the next time. */

import { signal } from '@preact/signals';
import { call } from '../hub/link';
import { complain } from '../ui/toasts';

const MOST = 10_000;

export const allFiles = signal<readonly string[] | null>(null);
/** There are more than the hub lists at once. */
export const allTruncated = signal(false);

let loading = false;

export async function refreshFiles(): Promise<void> {
  if (loading) return;
  loading = true;
  try {
    const { files, truncated } = await call('openspace.file.list', { recursive: true, maxEntries: MOST });
    allFiles.value = files.filter((file) => file.type !== 'directory').map((file) => file.path);
    allTruncated.value = truncated;
  } catch (error) {
    complain(error);
  } finally {
    loading = false;
  }
}
