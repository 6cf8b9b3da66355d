// Draws the club anew while somebody looks: the box is asked every two seconds, and answers only what is new.
"use strict";
(() => {
  const LOOK_MS = 2000;
  let looking = false;

  async function look() {
    if (looking || document.hidden) return;
    looking = true;
    const club = document.getElementById("club");
    try {
      const answer = await fetch(`/club/now?seen=${encodeURIComponent(club.dataset.mark)}`, { cache: "no-store" });
      if (answer.status === 200) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        Idiomorph.morph(club, page.getElementById("club"), { morphStyle: "outerHTML" });
      }
      document.getElementById("badge").hidden = true;
    } catch {
      document.getElementById("badge").hidden = false;
    }
    looking = false;
  }

  document.addEventListener("visibilitychange", look);
  setInterval(look, LOOK_MS);
  look();
})();
