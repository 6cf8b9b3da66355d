// The cup of a phone that rolls: shake or tap to roll, hold to peek. The box has thrown the dice; this is how it feels.
"use strict";
(() => {
  const ROLL_MS = 800;
  const HOLD_MS = 350; // a shorter press leaves the dice shown until the next tap
  const SHAKEN = 14; // m/s^2 beyond gravity
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const cup = () => document.querySelector("[data-peek]");
  let rolled = ""; // the round in which this phone has rolled
  let since = 0; // when the finger came down, 0 when it is up

  const isRolled = (one) => calm.matches || !one.dataset.roll || rolled === one.dataset.peek;

  function label() {
    const one = cup();
    if (one?.dataset.roll) one.querySelector("span").textContent = isRolled(one) ? one.dataset.hold : one.dataset.roll;
  }

  function look() {
    document.dispatchEvent(new CustomEvent("sheet", { detail: "hand" }));
  }

  function roll(one) {
    if (one.classList.contains("rolling")) return;
    one.classList.add("rolling");
    document.dispatchEvent(new CustomEvent("sound", { detail: "roll" }));
    navigator.vibrate?.([40, 40, 40, 40, 80]);
    setTimeout(() => {
      rolled = one.dataset.peek;
      one.classList.remove("rolling");
      label();
      look();
    }, ROLL_MS);
  }

  function down(event) {
    const one = event.target.closest("[data-peek]");
    if (!one || event.button) return;
    if (!isRolled(one)) return roll(one);
    since = event.timeStamp;
    look();
  }

  function up(event) {
    if (since && event.timeStamp - since > HOLD_MS) document.getElementById("sheet").close();
    since = 0;
  }

  // A finger has been heard already; the click of a key or of a screen reader goes on to the page.
  function click(event) {
    const one = event.target.closest("[data-peek]");
    if (one && event.detail) event.stopPropagation();
  }

  function shaken({ accelerationIncludingGravity: now }) {
    const one = cup();
    if (!one || !now || isRolled(one)) return;
    if (Math.abs(Math.hypot(now.x, now.y, now.z) - 9.8) > SHAKEN) roll(one);
  }

  document.addEventListener("pointerdown", down);
  addEventListener("pointerup", up, true);
  addEventListener("pointercancel", up, true);
  document.addEventListener("click", click, true);
  document.addEventListener("contextmenu", (event) => event.target.closest("[data-peek]") && event.preventDefault());
  document.addEventListener("swapped", label);
  addEventListener("devicemotion", shaken);
  label();
})();
