import { defineConfig } from "vite";

// Builds one folder, which cosette-web embeds. Names have a hash, so browsers may cache the files for ever.
export default defineConfig({
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    // The licences of the bundled packages.
    license: { fileName: "licences.txt" },
  },
});
