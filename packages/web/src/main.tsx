import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { applyTheme } from "./data/view-state.ts";
import { pageNonce } from "./parts/page-nonce.ts";
import "./styles.css";

// Libraries that insert a style sheet read the page's nonce from this name.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = pageNonce();
applyTheme();
const root = document.getElementById("root");
if (!root) throw new Error("the page has no #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
