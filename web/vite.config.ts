import { defineConfig } from 'vitest/config';

export default defineConfig({
  build: {
    target: 'es2022',
    // The content security policy allows nothing inline.
    assetsInlineLimit: 0,
    // A style that could not be loaded once is not loaded again, as the parts of the page are.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  test: { environment: 'happy-dom', include: ['src/**/*.test.ts?(x)'], css: { include: /tokens/ } },
});
