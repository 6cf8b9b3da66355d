// Draws the workshop anew every second while somebody looks, and sends one step at a time.
"use strict";
(() => {
  const frame = document.getElementById("frame");
  const work = frame.dataset.work;
  const LOOK_MS = 1000;
  const PICTURE_MS = 400;
  const PATIENCE_MS = 400;

  function connected(yes) {
    document.getElementById("badge").hidden = yes;
  }

  let hiding = 0;
  function toast(text) {
    const box = document.getElementById("toast");
    box.textContent = text;
    box.hidden = false;
    clearTimeout(hiding);
    box.onclick = () => (box.hidden = true);
    hiding = setTimeout(() => (box.hidden = true), 7000);
  }

  let said = null;
  function say() {
    const words = [...frame.querySelectorAll("[data-say]")].map((one) => one.dataset.say).join(" ");
    if (said !== null && words !== said) document.getElementById("said").textContent = words;
    said = words;
  }

  // ---- looking -----------------------------------------------------------------------------------------
  const keep = { beforeAttributeUpdated: (name, node) => !(name === "src" && node.id === "preview") };
  let looking = false;
  async function look() {
    if (looking || document.hidden) return;
    looking = true;
    try {
      const answer = await fetch(`/workshop/${work}`, { cache: "no-store" });
      if (answer.ok) {
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("work");
        Idiomorph.morph(document.getElementById("work"), fresh, { morphStyle: "outerHTML", callbacks: keep });
        say();
      }
      connected(true);
    } catch {
      connected(false);
    }
    looking = false;
  }

  function picture() {
    const preview = document.getElementById("preview");
    if (preview && preview.complete && !document.hidden) preview.src = `/preview.jpg?at=${Date.now()}`;
  }

  // ---- doing -------------------------------------------------------------------------------------------
  async function post(path, body) {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) toast((await answer.json()).title);
    return answer.ok;
  }

  async function tap(event) {
    const target = event.target.closest("[data-do], [data-press]");
    if (!target || frame.classList.contains("busy")) return;
    if (target.dataset.sure && !confirm(target.dataset.sure)) return;
    frame.classList.add("busy");
    const patience = setTimeout(() => toast(frame.dataset.working), PATIENCE_MS);
    try {
      if (target.dataset.press) await post("/api/v1/box/press", { button: target.dataset.press, held: false });
      else if ((await post("/api/v1/workshop", JSON.parse(target.dataset.do))) && target.dataset.done)
        toast(target.dataset.done);
    } catch {
      connected(false);
      toast(frame.dataset.lost);
    }
    clearTimeout(patience);
    const box = document.getElementById("toast");
    if (box.textContent === frame.dataset.working) box.hidden = true;
    frame.classList.remove("busy");
    look();
  }

  document.addEventListener("toast", (event) => toast(event.detail || frame.dataset.taken)); // camera.js: "" is well
  document.addEventListener("click", tap);
  document.addEventListener("visibilitychange", look);
  setInterval(look, LOOK_MS);
  setInterval(picture, PICTURE_MS);
  say();
})();
