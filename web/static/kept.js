// What a phone does for the evening: keeps its screen on, and knows what to show when the box cannot be reached.
"use strict";
(() => {
  const able = "wakeLock" in navigator;
  let lock = null;

  const wanted = () => remembered("awake") !== "no";
  const want = (yes) => remembered("awake", yes ? "yes" : "no");

  // The browser takes the lock back whenever the page is hidden: it is asked for again on waking.
  async function hold() {
    if (!able || !wanted() || document.hidden || lock?.released === false) return;
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
    button.setAttribute("aria-pressed", wanted() && able);
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

  // Browsers give a worker to safe addresses alone; elsewhere it is their own page that tells.
  const { lang, dataset } = document.documentElement;
  const worker = navigator.serviceWorker;
  addEventListener("load", () => worker?.register("/worker.js").catch(() => {}));
  worker?.ready.then(({ active }) => active.postMessage(lang + dataset.theme));
})();
