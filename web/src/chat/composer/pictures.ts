/** Pictures from the clipboard or dropped, for agents that take them. */

import type { Picture } from './prompt';

/** As much as a prompt holds, with its text. */
const LARGEST = 12 << 20;
const TYPES = /^image\/(png|jpeg|gif|webp)$/;

export function picturesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter((file) => TYPES.test(file.type));
}

export async function pictureOf(file: File): Promise<Picture> {
  if (file.size > LARGEST) throw new Error(`${file.name || 'The picture'} is larger than ${LARGEST >> 20} MB`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return { mime: file.type, data: btoa(text) };
}
