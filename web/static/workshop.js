// Draws the workshop anew every second while somebody looks, and sends one step at a time.
"use strict";
(() => {
  const frame = document.getElementById("frame");
  const work = frame.dataset.work;
  const LOOK_MS = 1000;
  const PICTURE_MS = 400;
  const PATIENCE_MS = 400;
  const STEP_MS = 60000; // a step takes several pictures
  const LATE_MS = 1500; // so long a tap waits for the page to show what the one before led to

  // ---- looking ----
  let looking = null; // the look that is on its way
  function look() {
    if (!looking && !document.hidden) looking = draw().finally(() => (looking = null));
    return looking;
  }

  async function draw() {
    try {
      const answer = await askBox(`/workshop/${work}`, { cache: "no-store" });
      if (answer.ok) {
        redraw(partOf(answer.text, "work"));
        say(frame);
      }
      connected(true);
    } catch {
      connected(false);
    }
  }

  // A look that was on its way may show what was before.
  async function lookAnew() {
    await looking;
    await look();
  }

  // ---- doing ----
  async function post(path, json) {
    const answer = await askBox(path, { json, limit: STEP_MS });
    if (!answer.ok) toast(answer.read().title);
    return answer.ok;
  }

  let underWay = ""; // the step that was sent, until the page shows what it led to
  let tapped = ""; // the step of another button tapped meanwhile
  const step = ({ dataset }) => (dataset.press ? `press ${dataset.press}` : dataset.do);

  function tap(event) {
    const button = event.target.closest("[data-do], [data-press]");
    if (!button || step(button) === underWay) return; // the same again is one tap that bounced
    if (button.dataset.sure && !confirm(button.dataset.sure)) return;
    if (underWay) tapped = step(button);
    else send(button);
  }

  async function send(button) {
    underWay = step(button);
    tapped = "";
    frame.classList.add("busy");
    const taken = await sent(button);
    if (taken) await Promise.race([lookAnew(), pause(LATE_MS)]); // who reads that it was not may tap at once
    frame.classList.remove("busy");
    underWay = "";
    if (taken) pressTapped();
  }

  // Whether the box has taken the step; its answer is shown.
  async function sent({ dataset }) {
    const patience = setTimeout(() => toast(frame.dataset.working, STEP_MS), PATIENCE_MS);
    let taken = false;
    try {
      if (dataset.press) taken = await post("/api/v1/box/press", { button: dataset.press, held: false });
      else taken = await post("/api/v1/workshop", JSON.parse(dataset.do));
      if (taken && dataset.done) toast(dataset.done);
    } catch {
      connected(false);
      toast(frame.dataset.lost);
    }
    clearTimeout(patience);
    if (document.getElementById("toast").textContent === frame.dataset.working) toast("");
    return taken;
  }

  // A button tapped meanwhile is pressed, if it is still there; after a refusal people look first.
  function pressTapped() {
    const buttons = [...frame.querySelectorAll("[data-do], [data-press]")];
    const button = buttons.find((one) => !one.disabled && step(one) === tapped);
    if (button) send(button);
  }

  // The next press of a button is for the game again.
  function leave() {
    if (work === "hardware-test") askBox("/api/v1/workshop", { json: { do: "leave" }, keepalive: true }).catch(() => {});
  }

  document.addEventListener("click", tap);
  addEventListener("pagehide", leave);
  document.addEventListener("visibilitychange", look);
  setInterval(look, LOOK_MS);
  setInterval(() => showAnew(document.getElementById("preview")), PICTURE_MS);
  say(frame);
})();
