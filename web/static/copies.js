// The phone that leads keeps the last games, of each all rounds that are over: the box may lose its card. Where the box
// has less of one than this phone, one tap brings it back.
"use strict";
(() => {
  const KEY = "copies";
  const MOST = 5; // games
  const LARGEST = 3e6; // letters of all of them: browsers keep 5 million
  const PIECE = 12000; // letters, of up to four bytes each: a request has up to 64 KiB
  const BACK_MS = 9000; // until the box has restarted
  const kept = () => JSON.parse(remembered(KEY) || "{}");
  const lines = (text) => text.trimEnd().split("\n").length - 1; // behind the head, a record each

  function keep(game, text) {
    const { [game]: before, ...others } = kept();
    const newest = [...Object.entries(others), [game, text]].slice(-MOST);
    while (newest.length > 1 && newest.reduce((sum, [, one]) => sum + one.length, 0) > LARGEST) newest.shift();
    remembered(KEY, JSON.stringify(Object.fromEntries(newest)));
  }

  let seen = "";
  let missing = [];
  async function follow() {
    const place = document.getElementById("copies");
    if (!place) return;
    if (place.dataset.copies !== seen) {
      seen = place.dataset.copies;
      try {
        const { game } = place.dataset;
        const answer = game && (await askBox(`/copies/${game}`));
        if (answer?.ok) keep(game, answer.text);
        const known = await askBox("/copies");
        const here = known.ok ? known.read() : null;
        missing = here ? Object.entries(kept()).filter(([id, text]) => id !== game && !(here[id] >= lines(text))) : [];
      } catch {
        seen = ""; // asked again at the next change
      }
    }
    const now = document.getElementById("copies");
    if (now) now.hidden = !missing.length;
  }

  // Pieces of a game, each with its head: a whole evening is more than one request may bring.
  function pieces(text) {
    const [head, ...rows] = text.trimEnd().split("\n");
    const found = [[head]];
    let size = 0;
    for (const row of rows) {
      size += row.length;
      if (size > PIECE && found.at(-1).length > 1) found.push([head]), (size = row.length);
      found.at(-1).push(row);
    }
    return found.map((one) => one.join("\n"));
  }

  async function send(text) {
    const all = pieces(text);
    for (const [number, body] of all.entries()) {
      const path = number === all.length - 1 ? "/copies?last" : "/copies";
      const answer = await askBox(path, { method: "POST", body, headers: { "Content-Type": "application/x-ndjson" } });
      if (!answer.ok) throw new Error(answer.read().title);
      if (answer.read().goes_on) return true;
    }
    return false;
  }

  async function bringBack(button) {
    button.disabled = true;
    let goesOn = false;
    try {
      for (const [, text] of missing.reverse()) goesOn = (await send(text)) || goesOn; // the newest goes on
      missing = [];
      if (!goesOn) return location.assign("/history");
      toast(button.dataset.back);
      await askBox("/settings/restart", { method: "POST" });
      setTimeout(() => location.assign("/"), BACK_MS);
    } catch (error) {
      toast(error.message);
    } finally {
      button.disabled = false;
    }
  }

  // Games that somebody deleted on purpose are not offered for ever.
  function forget(games) {
    const left = Object.entries(kept()).filter(([id]) => !games.includes(id));
    remembered(KEY, JSON.stringify(Object.fromEntries(left)));
  }

  function forgetMissing() {
    forget(missing.map(([id]) => id));
    missing = [];
    document.getElementById("copies").hidden = true;
  }

  document.addEventListener("click", ({ target }) => {
    const button = target.closest("#bring-back");
    if (button) bringBack(button);
    if (target.closest("#forget-copies")) forgetMissing();
  });
  document.addEventListener("deleted", ({ detail }) => forget([detail]));
  document.addEventListener("swapped", follow);
  follow();
})();
