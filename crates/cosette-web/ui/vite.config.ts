import { defineConfig } from "vite";

// One folder that cosette-web holds within itself: names with a hash, which browsers may keep for ever.
export default defineConfig({
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    // The licences of all that is bundled go with it.
    license: { fileName: "licences.txt" },
  },
});
