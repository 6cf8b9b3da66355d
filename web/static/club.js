// Draws the club anew while somebody looks: the box is asked every two seconds, and answers only what is new.
"use strict";
(() => {
  const LOOK_MS = 2000;
  let looking = false;

  async function look() {
    if (looking || document.hidden) return;
    looking = true;
    const { mark } = document.getElementById("club").dataset;
    try {
      const answer = await askBox(`/club/now?seen=${encodeURIComponent(mark)}`, { cache: "no-store" });
      if (answer.status === 200) redraw(partOf(answer.text, "club"));
      connected(true);
    } catch {
      connected(false);
    }
    looking = false;
  }

  // ---- a television has nobody who scrolls: what does not fit is turned over like pages ----
  const PAGE_MS = 12000;
  const PATIENCE_MS = 60000;
  let touched = -Infinity;

  function turn(box) {
    const high = box.clientHeight;
    if (box.scrollHeight <= high + 1) return;
    const last = box.scrollTop + high >= box.scrollHeight - 1;
    box.scrollTo({ top: last ? 0 : box.scrollTop + high * 0.9, behavior: "instant" });
  }

  function turnOver() {
    if (document.hidden || !matchMedia("(min-width: 60rem)").matches) return;
    if (performance.now() - touched < PATIENCE_MS) return;
    turn(document.scrollingElement);
    const standings = document.getElementById("standings");
    if (standings) turn(standings);
  }

  for (const kind of ["wheel", "keydown", "pointerdown", "pointermove", "touchstart"])
    document.addEventListener(kind, () => (touched = performance.now()), { passive: true });
  setInterval(turnOver, PAGE_MS);

  document.addEventListener("visibilitychange", look);
  setInterval(look, LOOK_MS);
  look();
})();
