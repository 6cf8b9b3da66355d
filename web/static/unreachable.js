// Asks again and again whether the box is back, and shows the page that was wanted as soon as it is.
"use strict";
(() => {
  const EVERY_MS = 1500;
  async function ask() {
    try {
      const answer = await askBox("/unreachable", { method: "HEAD", cache: "no-store" });
      if (answer.ok) location.reload();
    } catch {
      // not yet
    }
  }
  setInterval(() => document.hidden || ask(), EVERY_MS);
  document.addEventListener("visibilitychange", () => document.hidden || ask());
  addEventListener("online", ask);
})();
