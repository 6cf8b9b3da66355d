// What the scripts of all pages share. The box is asked with a deadline: an answer that got lost on a poor Wi-Fi frees
// every lock of the page. No other script calls fetch, waits for a script or shows a picture anew by itself.
"use strict";
(() => {
  const LIMIT_MS = 8000;
  globalThis.pause = (ms) => new Promise((done) => setTimeout(done, ms));

  // The whole answer. `json` is posted. Fails where the box cannot be reached, or has not answered within `limit` ms.
  // What the box refuses for a moment is sent again after it: nobody reads that he was too quick.
  globalThis.askBox = async (path, { limit = LIMIT_MS, json, ...options } = {}) => {
    const mine = new AbortController();
    const timer = setTimeout(() => mine.abort(), limit);
    const headers = { "Content-Type": "application/json" };
    const posted = json === undefined ? options : { method: "POST", headers, body: JSON.stringify(json) };
    try {
      let answer, text;
      for (;;) {
        answer = await fetch(path, { ...posted, signal: mine.signal });
        text = await answer.text();
        const retryS = Number(answer.headers.get("Retry-After"));
        if (answer.ok || !retryS || mine.signal.aborted) break;
        await pause(retryS * 1000);
      }
      return { ok: answer.ok, status: answer.status, text, read: () => JSON.parse(text) };
    } finally {
      clearTimeout(timer);
    }
  };

  // What this phone remembers by a key, and what it is to remember from now on. A private window remembers nothing.
  globalThis.remembered = (key, value) => {
    try {
      if (value !== undefined) localStorage.setItem(key, value);
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };

  // Shows on the two buttons of a choice, by the name of both, what this phone has chosen: off, until somebody chose.
  globalThis.showChoice = (name) => {
    const now = remembered(name) === "on" ? "on" : "off";
    for (const button of document.querySelectorAll(`[data-${name}]`)) button.setAttribute("aria-pressed", String(button.dataset[name] === now));
  };

  // Runs a script once. A script has no deadline and cannot be stopped: what comes after it is fetched into the cache first.
  const scripts = new Map();
  globalThis.runScript = (id, src) => {
    if (!scripts.has(id)) scripts.set(id, run(id, src).catch((error) => (scripts.delete(id), Promise.reject(error))));
    return scripts.get(id);
  };

  async function run(id, src) {
    if (!(await askBox(src)).ok) throw new Error(src);
    const script = Object.assign(document.createElement("script"), { id, src });
    const there = new Promise((yes, no) => Object.assign(script, { onload: yes, onerror: no }));
    document.head.append(script);
    await there;
    script.dataset.ready = "";
  }

  globalThis.importScript = async (src) => {
    await askBox(src);
    return Promise.race([import(src), pause(LIMIT_MS).then(() => Promise.reject(new Error(src)))]);
  };

  // ---- what a page shows ----
  globalThis.connected = (yes) => (document.getElementById("badge").hidden = yes);

  const TOAST_MS = 4000;
  const box = document.getElementById("toast");
  let hiding = 0;
  box?.addEventListener("click", () => (box.hidden = true));
  globalThis.toast = (text, ms = TOAST_MS) => {
    box.textContent = text;
    box.hidden = !text;
    clearTimeout(hiding);
    hiding = setTimeout(() => (box.hidden = true), ms);
    placeToast();
  };

  // A dialog lies above all else: while one is open, news lie in it, and outlive it.
  globalThis.placeToast = () => (document.querySelector("#sheet[open]") ?? document.body).append(box);

  // What a part has to say, for a screen reader, once.
  let said = "";
  globalThis.say = (part) => {
    const words = [...part.querySelectorAll("[data-say]")].map((one) => one.dataset.say).join(" ");
    if (words !== said) document.getElementById("said").textContent = said = words;
  };

  const keep = {
    beforeNodeMorphed: (old, fresh) => !(old.dataset && (("keep" in old.dataset && old.id === fresh.id) || (old.matches(".count-up") && old.dataset.say === fresh.dataset.say))),
    beforeAttributeUpdated: (name, node) =>
      !(name === "open" && node.tagName === "DETAILS") && !(name === "src" && ["preview", "invite", "late"].includes(node.id)) && !(name === "class" && node.id === "preview"),
  };

  // The part with that id as a page has it, and that part drawn anew.
  globalThis.partOf = (html, id) => new DOMParser().parseFromString(html, "text/html").getElementById(id);
  globalThis.redraw = (fresh) => Idiomorph.morph(document.getElementById(fresh.id), fresh, { morphStyle: "outerHTML", callbacks: keep });

  // A picture that is on its way is waited for, unless it is late.
  globalThis.showAnew = (picture) => {
    if (!picture || document.hidden) return;
    picture.asked ??= Date.now();
    if (!picture.complete && Date.now() - picture.asked < LIMIT_MS) return;
    picture.asked = Date.now();
    picture.src = `/preview.jpg?at=${picture.asked}`;
  };
})();
