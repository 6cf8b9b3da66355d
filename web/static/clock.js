// Counts down the seconds of the player on turn, where the rules have a clock. The box is asked once a turn.
"use strict";
(() => {
  const STEP_MS = 200;
  const AGAIN_MS = 1000;
  let turn = "";
  let over = 0; // when the time is up, on this phone's own clock in ms; 0 while that is not known

  const clock = () => document.querySelector("#live [data-clock]");

  async function ask() {
    const wanted = clock()?.dataset.clock ?? "";
    if (wanted === turn) return show();
    turn = wanted;
    over = 0;
    if (!turn) return;
    const answer = await askBox("/api/v1/clock", { cache: "no-store" }).catch(() => null);
    if (turn !== wanted) return;
    if (!answer?.ok) setTimeout(() => turn === wanted && again(), AGAIN_MS);
    const left = answer?.ok ? answer.read().left_s : null;
    if (left !== null) over = performance.now() + 1000 * left;
    show();
  }

  function show() {
    const place = clock();
    if (!place) return;
    const seconds = Math.ceil((over - performance.now()) / 1000);
    const words = !over ? "" : seconds > 0 ? place.dataset.left.replace("{seconds}", seconds) : place.dataset.over;
    if (place.textContent !== words) place.textContent = words;
    place.classList.toggle("short", Boolean(over) && seconds <= 5);
  }

  function again() {
    turn = ""; // a phone that slept asks anew
    ask();
  }

  document.addEventListener("swapped", ask);
  document.addEventListener("visibilitychange", () => document.hidden || again());
  setInterval(show, STEP_MS);
  ask();
})();
