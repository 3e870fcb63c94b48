// Writes a .br and a .gz beside each file of dist/, which the hub embeds and serves as they are.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const dist = new URL('../dist', import.meta.url).pathname;
const total = { files: 0, raw: 0, gz: 0, br: 0 };
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || /\.(br|gz)$/.test(entry.name)) continue;
  const path = join(entry.parentPath, entry.name);
  const bytes = readFileSync(path);
  const gz = gzipSync(bytes, { level: 9 });
  const br = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  writeFileSync(`${path}.gz`, gz);
  writeFileSync(`${path}.br`, br);
  total.files += 1;
  total.raw += bytes.length;
  total.gz += gz.length;
  total.br += br.length;
}
const kib = (bytes) => `${Math.round(bytes / 1024)} KiB`;
console.log(`dist: ${total.files} files, ${kib(total.raw)}, gzip ${kib(total.gz)}, brotli ${kib(total.br)}`);
