// What a phone does for the evening: keeps its screen on, and knows what to show when the box cannot be reached.
"use strict";
(() => {
  const KEY = "awake";
  const able = "wakeLock" in navigator;
  let lock = null;

  const wanted = () => remembered(KEY) !== "no";
  const want = (yes) => remembered(KEY, yes ? "yes" : "no");

  // The browser takes the lock back whenever the page is hidden: it is asked for again on waking.
  async function hold() {
    if (!able || !wanted() || document.hidden || (lock && !lock.released)) return;
    try {
      lock = await navigator.wakeLock.request("screen");
    } catch {
      lock = null; // an empty battery; the next tap asks again
    }
    show();
  }

  function show() {
    const button = document.getElementById("awake");
    if (!button) return;
    button.setAttribute("aria-pressed", String(wanted() && able));
    button.disabled = !able;
    document.getElementById("awake-no").hidden = able;
  }

  async function tap(event) {
    if (event.target.closest("#awake")) {
      want(!wanted());
      if (!wanted()) await lock?.release();
      show();
    }
    hold();
  }

  document.addEventListener("click", tap);
  document.addEventListener("visibilitychange", hold);
  addEventListener("pageshow", hold);
  show();
  hold();

  // Browsers give a worker to safe addresses alone; without one, their own page says that the box is not there.
  const { lang, dataset } = document.documentElement;
  const register = () => navigator.serviceWorker?.register(`/worker.js?for=${lang}-${dataset.theme}`).catch(() => {});
  addEventListener("load", register);
})();
