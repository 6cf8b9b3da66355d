// Keeps the page equal to the table: listens for the next change, swaps the fragment, sends commands.
"use strict";
(() => {
  const frame = document.getElementById("frame");
  const sheet = document.getElementById("sheet");
  const view = document.body.dataset.view;
  const live = () => document.getElementById("live");
  const version = () => Number(live().dataset.version);
  const QUIET_MS = 25000; // longer than the server's long poll: nothing at all for so long means it is gone
  let hurry = true; // the next question is answered at once, to learn whether the box is there

  // ---- listening ----
  const UNHEARD_MS = 2000; // so long after its own deadline the listener is taken for lost: its script never came
  let waiting = null; // the question under way: its number, and what to do with the answer
  let listener = hired();

  function hired() {
    const worker = new Worker(frame.dataset.listener);
    worker.onmessage = ({ data }) => waiting && waiting.id === data.id && waiting.done(data);
    return worker;
  }

  async function question(path, limit) {
    let lost;
    const answer = await new Promise((done) => {
      waiting = { id: (waiting ? waiting.id : 0) + 1, done };
      listener.postMessage({ id: waiting.id, path, limit });
      lost = setTimeout(done, limit + UNHEARD_MS);
    });
    clearTimeout(lost);
    if (answer) return answer;
    listener.terminate();
    listener = hired();
    return { ok: false, status: 0 };
  }

  async function ask(quick) {
    const query = quick ? `?after=${version()}&quick=1` : `?after=${version()}`;
    const answer = await question(`/fragment/${view}${query}`, quick ? 4000 : QUIET_MS);
    if (!answer.ok) throw new Error(String(answer.status));
    if (answer.start !== frame.dataset.start) return comeAnew();
    if (answer.status === 200) swap(answer.html);
    connected(true);
  }

  // A box that was started anew does not know who had sat down before a game: this phone sits down again.
  async function comeAnew() {
    const sits = live().querySelector("[data-sits]")?.dataset.sits;
    if (sits) await askBox("/api/v1/phone", { json: { come: JSON.parse(sits) } }).catch(() => {});
    location.reload();
    await pause(QUIET_MS); // until it does: once is enough
  }

  async function listen() {
    for (let wait = 250; ; ) {
      const quick = hurry;
      hurry = false;
      try {
        await ask(quick);
        wait = 250;
      } catch (error) {
        if (hurry) continue; // woken on purpose
        connected(false);
        hurry = true;
        if (frame.dataset.home && wait > 1000) return location.assign(frame.dataset.home); // the demonstration is over
        await pause(wait);
        wait = Math.min(wait * 2, 4000);
      }
    }
  }

  function wake() {
    if (document.hidden) {
      if (sheet.querySelector(".under")) sheet.close(); // a phone laid down shows no dice
      return;
    }
    hurry = true;
    listener.postMessage({}); // give up the question under way; the next one is quick
  }

  // ---- swapping ----
  const sentence = (shown) => shown.querySelector(".verdict")?.dataset.say;

  function swap(html) {
    const before = live();
    const judged = sentence(before);
    const [focused, asked] = [before.contains(document.activeElement), task(before)];
    const fresh = partOf(html, "live");
    if (fresh.dataset.screen === before.dataset.screen) {
      redraw(fresh);
      if (judged && judged !== sentence(live())) scrollTo(0, 0); // who corrected a die below sees what came of it
    } else {
      if (before.querySelector("#box[open]")) fresh.querySelector("#box")?.setAttribute("open", "");
      before.replaceWith(document.adoptNode(fresh));
      scrollTo(0, 0);
    }
    const lost = document.activeElement === document.body || document.activeElement.disabled;
    if (focused && lost) document.getElementById("main").focus({ preventScroll: true });
    if (task(live()) && task(live()) !== asked) onTurn();
    if (sheet.open && outdated(live().dataset)) sheet.close();
    restorePad();
    announce();
    say(live());
    fetchScripts();
    document.dispatchEvent(new Event("swapped"));
    arrive();
  }

  // The own turn, and whether it is to bid.
  const task = (shown) => shown.querySelector(".your-turn") && (shown.querySelector("#pad") ? "bid" : "choose");

  // It comes into view, and to whoever does not write or read elsewhere.
  function onTurn() {
    scrollTo(0, 0);
    if ([document.body, document.getElementById("main")].includes(document.activeElement)) document.getElementById("pad")?.focus({ preventScroll: true });
  }

  // What somebody took back, who came and who went: shown on every phone, once.
  let announced = live().dataset.announced;
  function announce() {
    const { announced: number, announcement } = live().dataset;
    if (number && number !== announced) toast(announcement);
    announced = number;
  }

  // Few phones set up a game, play by the clock, roll in a cup, take pictures, share or keep copies: the others never fetch how.
  const LATER = { clock: "#clock", setup: "#setup", cup: "[data-peek]", camera: "[data-picture]", card: "button[data-card]", copies: "#copies" };
  const AGAIN_MS = 2000;
  let early = null; // the button for a picture that was tapped before its script was there
  function fetchScripts() {
    for (const [name, part] of Object.entries(LATER)) {
      const id = `${name}-script`;
      if (document.getElementById(id) || !live().querySelector(part)) continue;
      const there = runScript(id, frame.dataset[name]);
      there.then(() => name === "camera" && tapEarly(), () => setTimeout(fetchScripts, AGAIN_MS));
    }
  }

  function tapEarly() {
    const button = early;
    early = null;
    button?.click();
  }

  // ---- commands ----
  // What was sent got no answer: the page asks what came of it. What is sent again names the version it was based on.
  function unanswered() {
    connected(false);
    toast(frame.dataset.lost);
    wake();
  }

  let underWay = null; // the command that was sent, from which dialog, and the version it led to, until the page shows that
  let tapped = null; // the command tapped elsewhere meanwhile, the version that was seen then, and whether it is still offered

  const dialog = () => (sheet.open ? sheet.firstElementChild : null);

  async function send(command, basedOn = version()) {
    const text = JSON.stringify(command);
    if (underWay) {
      const bounced = text === underWay.text && dialog() === underWay.from; // one tap, not two
      if (!bounced) tapped = { command, seen: version(), offered: offerOf(command) };
      return;
    }
    const mine = (underWay = { text, from: dialog(), reached: 0 });
    tapped = null;
    frame.classList.add("busy");
    try {
      const answer = await askBox("/api/v1/commands", { json: { command, based_on: basedOn } });
      if (answer.ok) return done(command, mine, answer.read().version);
      toast(answer.read().title);
      if (answer.status === 409) wake();
    } catch {
      unanswered();
    }
    free(mine);
  }

  function done(command, mine, reached) {
    if (dialog() === mine.from) sheet.close(); // one that was opened since stays
    mine.reached = reached;
    setTimeout(() => underWay === mine && pressTapped(), 1500);
    if (command.type === "new_game") document.dispatchEvent(new Event("begun"));
    if (command.type === "new_game" && view !== "table") return location.assign("/");
    arrive();
  }

  // Whether a command that is tapped now is offered later too: by the same dialog, the pad of the same turn, a button.
  function offerOf(command) {
    const [from, turn, text] = [dialog(), padKey(), JSON.stringify(command)];
    const same = (button) => !button.disabled && JSON.stringify(JSON.parse(button.dataset.command)) === text;
    if (from) return () => dialog() === from;
    if (command.type === "bid") return () => padKey() === turn;
    return () => [...live().querySelectorAll("[data-command]")].some(same);
  }

  // The page shows what the command led to: what was tapped meanwhile is sent, if it is still offered.
  function arrive() {
    if (underWay?.reached && version() >= underWay.reached) pressTapped();
  }

  function pressTapped() {
    const { reached } = underWay;
    free(underWay);
    if (!tapped?.offered()) return;
    send(tapped.command, Math.max(reached, tapped.seen)); // if others did something since, the box refuses it with a word
  }

  function free(mine) {
    if (underWay !== mine) return;
    underWay = null;
    frame.classList.remove("busy");
  }

  // The box reads the dice of a bot, which takes it a second or more.
  const LOOK_MS = 60000;
  async function lookAt(button) {
    button.disabled = true;
    try {
      const answer = await askBox("/api/v1/bots/look", { json: { player: button.dataset.look }, limit: LOOK_MS });
      if (!answer.ok) toast(answer.read().title);
    } catch {
      unanswered();
    }
    button.disabled = false;
  }

  // ---- the bid pad: a quantity, then a face; without wilds where the rules have it ----
  let picked = { key: "", quantity: 0, zhai: false, push: { face: 0, wild: 0 } };
  const padKey = () => document.getElementById("pad")?.dataset.key;

  function restorePad() {
    const pad = document.getElementById("pad");
    if (!pad) return;
    const chosen = pad.querySelector('[data-quantity][aria-pressed="true"]');
    const same = picked.key === pad.dataset.key;
    if (same) pad.querySelector("[data-without]")?.setAttribute("aria-pressed", String(picked.zhai));
    if (same && pad.querySelector("details.push")) push(pad, "face", picked.push.face);
    if (same) pick(pad, picked.quantity);
    else if (chosen) pick(pad, Number(chosen.dataset.quantity));
  }

  function pick(pad, quantity) {
    const zhai = pad.querySelector("[data-without]")?.getAttribute("aria-pressed") === "true";
    const again = picked.key === pad.dataset.key;
    picked = { key: pad.dataset.key, quantity, zhai, push: again ? picked.push : { face: 0, wild: 0 } };
    const legal = JSON.parse(zhai ? pad.dataset.zhai : pad.dataset.legal).filter((bid) => bid[0] === quantity).map((bid) => bid[1]);
    for (const button of pad.querySelectorAll("[data-quantity]")) {
      const on = Number(button.dataset.quantity) === quantity;
      button.setAttribute("aria-pressed", String(on));
      const row = button.parentElement;
      if (on) row.scrollLeft = button.offsetLeft - row.offsetLeft - row.clientWidth / 2 + button.clientWidth / 2;
    }
    for (const button of pad.querySelectorAll(".face")) {
      const face = Number(button.dataset.face);
      button.disabled = !legal.includes(face) || !holds(pad, face, zhai);
    }
  }

  // Never more than may be pushed out in all: the other choice gives way.
  function push(pad, which, number) {
    const other = which === "face" ? "wild" : "face";
    const left = Number(pad.querySelector("details.push")?.dataset.most) - number;
    picked.push = { [which]: number, [other]: Math.min(picked.push[other], left) };
    for (const button of pad.querySelectorAll("[data-push]")) {
      button.setAttribute("aria-pressed", String(Number(button.dataset.number) === picked.push[button.dataset.push]));
    }
  }

  // Whether the dice to be pushed out with a bid on this face lie under the cup, where this phone may look at them.
  function holds(pad, face, zhai) {
    const { face: alike, wild } = picked.push;
    const out = pad.querySelector("details.push");
    if (!out || !(alike || wild)) return true;
    const wildFace = Number(out.dataset.wild);
    if (zhai && wild && face !== wildFace) return false;
    const held = JSON.parse(out.dataset.held);
    if (!held.length) return true;
    return face === wildFace ? held[face - 1] >= alike + wild : held[face - 1] >= alike && held[wildFace - 1] >= wild;
  }

  function pushed(pad, face) {
    const wild = Number(pad.querySelector("details.push")?.dataset.wild);
    const faces = [...Array(picked.push.face).fill(face), ...Array(picked.push.wild).fill(wild)];
    return faces.length ? { pushed: faces } : {};
  }

  function padTap(target) {
    const pad = target.closest("#pad");
    if (!pad) return;
    const quantity = target.closest("[data-quantity]");
    if (quantity) return pick(pad, Number(quantity.dataset.quantity));
    const out = target.closest("[data-push]");
    if (out) {
      push(pad, out.dataset.push, Number(out.dataset.number));
      return pick(pad, picked.quantity);
    }
    const without = target.closest("[data-without]");
    if (without) {
      without.setAttribute("aria-pressed", String(!picked.zhai));
      return pick(pad, picked.quantity);
    }
    const face = target.closest("[data-face]");
    if (face && !face.disabled) {
      const zhai = picked.zhai ? { zhai: true } : {};
      const said = { quantity: picked.quantity, face: Number(face.dataset.face), ...zhai };
      send({ type: "bid", by: pad.dataset.by, ...said, ...pushed(pad, said.face) });
    }
  }

  // ---- sheets ----
  // Whether the dialog is of another screen, bid, call or picture.
  const outdated = ({ key, about }) => !(key + about).includes(sheet.firstElementChild.dataset.key);

  async function open(name) {
    const seen = { ...live().dataset };
    try {
      const answer = await askBox(`/sheet/${name}`, { cache: "no-store" });
      if (!answer.ok) return toast(answer.read().title);
      sheet.innerHTML = answer.text;
      if (outdated(seen) || outdated(live().dataset)) return sheet.close();
      if (!sheet.open) sheet.showModal();
      placeToast();
    } catch {
      unanswered();
    }
  }

  // ---- the simulated box: a press is a press of its pin ----
  const HOLD_MS = 1000;
  let pressed = null;
  async function press(button, held) {
    try {
      const answer = await askBox("/api/v1/box/press", { json: { button, held } });
      if (!answer.ok) toast(answer.read().title);
    } catch {
      unanswered();
    }
  }

  document.addEventListener("pointerdown", (event) => {
    const button = event.target.closest("[data-press]");
    pressed = button ? { name: button.dataset.press, at: event.timeStamp } : null;
  });

  // ---- taps and keys ----
  function tap(event) {
    const target = event.target;
    if (!document.querySelector("#camera-script[data-ready]")) early = target.closest(LATER.camera);
    const box = target.closest("[data-press]");
    if (box) {
      const held = pressed !== null && pressed.name === box.dataset.press && event.timeStamp - pressed.at > HOLD_MS;
      return press(box.dataset.press, held);
    }
    if (target.closest("[data-print]")) {
      document.getElementById("all-rules").open = true;
      return print();
    }
    const cup = target.closest("[data-look]");
    if (cup) return lookAt(cup);
    const command = target.closest("[data-command]");
    if (command?.id === "undo" && event.detail > 1) return; // a double tap takes one step back
    if (command) return send(JSON.parse(command.dataset.command));
    const own = target.closest("[data-phone]");
    if (own) return claim(JSON.parse(own.dataset.phone));
    const wanted = target.closest("[data-sheet]");
    if (wanted) return open(wanted.dataset.sheet);
    if (target === sheet || target.closest("[data-close]")) return sheet.close();
    return padTap(target);
  }

  // Enter, where nothing else has the focus, is the one big button that brings the game on.
  function enterKey(event) {
    const free = [document.body, document.getElementById("main")].includes(document.activeElement);
    if (event.key === "Enter" && free && !sheet.open) live().querySelector(".bar button.go")?.click();
  }

  function key(event) {
    enterKey(event);
    const spot = event.target.closest('[role="button"][data-sheet]');
    if (spot && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      open(spot.dataset.sheet);
    }
  }

  function challenge(event) {
    if (!event.target.matches("[data-challenge]")) return;
    event.preventDefault();
    const said = Object.fromEntries(new FormData(event.target));
    const bid = { quantity: Number(said.quantity), face: Number(said.face), zhai: "zhai" in said };
    send({ type: "challenge", by: said.by, call: said.call, bid, bidder: said.bidder });
  }

  // Who doubts, doubts the neighbour on the right: naming the caller names the bidder.
  function caller(event) {
    const form = event.target.closest("[data-challenge]");
    if (!form || !["by", "call"].includes(event.target.name)) return;
    const said = Object.fromEntries(new FormData(form));
    const bidders = [...form.elements.bidder];
    const at = bidders.findIndex((one) => one.value === said.by);
    if (said.call === "dudo") bidders.at(at - 1).checked = true;
  }

  // ---- the live view, while the box waits for dice ----
  const LIVE_MS = 1000;

  // Before the camera has a picture there is none to show, and no sign of a broken one.
  function shown(event) {
    if (event.target.id === "preview") event.target.classList.toggle("none-yet", event.type === "error");
  }

  // ---- the code on the television: it changes every two minutes ----
  const INVITE_MS = 60000;
  function refreshInvite() {
    for (const invite of document.querySelectorAll("#invite, #late, #menu-code")) invite.src = `${invite.src.split("&at=")[0]}&at=${Date.now()}`;
  }

  // ---- this phone: its seat, the lead ----
  async function claim(wish) {
    try {
      const answer = await askBox("/api/v1/phone", { json: wish });
      if (!answer.ok) return toast(answer.read().title);
      if (wish.react) return;
      if (wish.seat || wish.come || wish.anew) location.assign(wish.anew ? "/join" : wish.come && view === "setup" ? "/setup" : "/");
      else location.reload();
    } catch {
      unanswered();
    }
  }

  // The emoji chosen beside a name takes the place of the one before it.
  function wear({ target }) {
    if (!("sign" in target.dataset)) return;
    const name = target.closest(".named").querySelector("input");
    name.value = `${target.value} ${name.value.replace(/^[^\p{L}\p{N}]+/u, "")}`.trim();
  }

  function enter(event) {
    if (!event.target.matches("[data-join]")) return;
    event.preventDefault();
    claim({ join: event.target.elements.code.value });
  }

  // A form whose fields make one command, or what this phone asks for.
  function submitted(event) {
    const form = event.target;
    const { send: command, wish } = form.dataset;
    if (!command && !wish) return;
    event.preventDefault();
    const fields = [...form.elements].filter((one) => one.name && (one.value || !("optional" in one.dataset)));
    const said = Object.fromEntries(fields.filter((one) => one.type !== "radio" || one.checked).map((one) => [one.name, one.type === "checkbox" ? one.checked : one.value]));
    if (wish) claim({ [wish]: said });
    else send({ ...JSON.parse(command), ...said });
  }

  document.addEventListener("click", tap);
  document.addEventListener("submit", submitted);
  document.addEventListener("keydown", key);
  document.addEventListener("submit", challenge);
  document.addEventListener("submit", enter);
  document.addEventListener("change", caller);
  document.addEventListener("change", wear);
  document.addEventListener("command", (event) => send(event.detail));
  sheet.addEventListener("close", placeToast);
  document.addEventListener("sheet", (event) => open(event.detail));
  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", wake);
  addEventListener("online", wake);
  addEventListener("offline", () => connected(false));
  for (const kind of ["load", "error"]) document.addEventListener(kind, shown, true); // they do not bubble
  setInterval(() => showAnew(document.getElementById("preview")), LIVE_MS);
  setInterval(refreshInvite, INVITE_MS);
  restorePad();
  // A television asks to be let in as it is opened: one tap on the host's phone, and it shows the invitation.
  if (live().querySelector("[data-asks]")) askBox("/api/v1/phone", { json: { join: true } }).catch(() => {});
  say(live());
  fetchScripts();
  listen();
})();
