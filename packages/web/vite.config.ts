import { join } from "node:path";
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Builds the page. `scripts/build.mjs` calls it and says where the files go. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind()],
  build: {
    target: "es2023",
    // The page of one's own threads, and the one that a sync server shows to readers of a shared thread.
    rolldownOptions: { input: ["index.html", "reader.html"].map((name) => join(import.meta.dirname, name)) },
    // Every browser that the page runs in preloads modules itself, and a polyfill would be one more inline script.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
  },
  worker: { format: "es" },
});
