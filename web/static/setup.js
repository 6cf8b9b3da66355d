// The set-up form: who plays with which dice, in the order of the table, and by which rules.
// All that was chosen is remembered by this phone, so that nothing typed is ever lost.
"use strict";
(() => {
  const MOST = 12;
  const FEWEST = 2;
  const KEPT = "setup";
  const AGAIN_MS = 2000;
  const colours = () => [...(document.getElementById("person")?.content.querySelectorAll("option") ?? [])].map((o) => o.value);

  // ---- what this phone remembers ----
  function draft() {
    try {
      return JSON.parse(remembered(KEPT)) ?? {};
    } catch {
      return {};
    }
  }

  function remember(form) {
    if (!touched) return;
    remembered(KEPT, JSON.stringify({ players: rows().map((row, n) => ({ ...people()[n], guest: row.dataset.guest })), preset: preset(form), house: house(form), starter: starter().value, began }));
  }

  let began = false; // a game, from what was chosen
  function begin() {
    began = true;
    remembered(KEPT, JSON.stringify({ ...draft(), began }));
  }

  // ---- people ----
  const list = () => document.getElementById("people");
  const rows = () => [...document.querySelectorAll("#people .person")];
  const nameOf = (row) => row.querySelector(".name");
  const level = (row) => row.querySelector(".level");
  const real = (row) => row.querySelector(".real");
  const isReal = (row) => !real(row).hidden && real(row).getAttribute("aria-pressed") === "true";
  const isBot = (row) => !level(row).hidden;
  // Where nothing is real every phone is its player's cup, and whoever is alone plays with bots.
  const isSimulated = () => "simulated" in (document.getElementById("lobby-people")?.dataset ?? {});
  const ALONE = [{}, { bot: "medium" }, { bot: "medium" }];
  let touched = false; // by a person, now or before
  const people = () =>
    rows().map((row) => ({
      name: nameOf(row).value.trim(),
      colour: row.querySelector(".colour").value,
      phone_cup: row.querySelector(".in-phone").getAttribute("aria-pressed") === "true",
      ...(isBot(row) ? { bot: level(row).value, real_dice: isReal(row) } : {}),
      ...(row.querySelector(".handicap").hidden ? {} : { handicap: Number(row.querySelector(".handicap").value) }),
    }));
  const playerName = (n) => list().dataset.player.replace("{n}", String(n + 1));
  // Names are optional: where nobody has one, everybody is called by the seat.
  function named() {
    const all = people();
    if (all.some((one) => one.name && !one.bot)) return all.filter((one) => one.name);
    return all.map((one, n) => ({ ...one, name: (one.bot && one.name) || playerName(n) }));
  }

  function paint(row) {
    row.querySelector(".die").setAttribute("class", `die c-${row.querySelector(".colour").value}`);
  }

  function add(person = {}) {
    const pattern = document.getElementById("person");
    if (!pattern || rows().length >= MOST) return null;
    const row = pattern.content.firstElementChild.cloneNode(true);
    const taken = people().map((one) => one.colour);
    nameOf(row).value = person.name ?? "";
    nameOf(row).placeholder = playerName(rows().length);
    row.querySelector(".colour").value = colours().includes(person.colour)
      ? person.colour
      : (colours().find((one) => !taken.includes(one)) ?? "white");
    row.querySelector(".in-phone").setAttribute("aria-pressed", String(person.phone_cup === true));
    row.querySelector(".handicap").value = String(person.handicap ?? 0);
    if (person.guest) row.dataset.guest = person.guest;
    list().append(row);
    paint(row);
    return row;
  }

  // A bot takes the next free name of its own; the box rolls for it, or looks at real dice with its camera.
  function seatBot(bot = {}) {
    const names = list().dataset.bots.split(", ");
    const taken = people().map((one) => one.name);
    const row = add({ ...bot, name: bot.name ?? names.find((one) => !taken.includes(one)) ?? names[0] });
    if (!row) return;
    level(row).hidden = false;
    level(row).value = bot.bot ?? "medium";
    row.querySelector(".in-phone").hidden = true;
    real(row).hidden = !("camera" in list().dataset);
    real(row).setAttribute("aria-pressed", String(bot.real_dice === true));
  }

  function flip(button) {
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
  }

  // ---- seats: dragged by their grip, moved by the arrow keys, or by a tap one seat up ----
  let drag = null;
  function grab(event) {
    const grip = event.target.closest(".grip");
    if (!grip || event.button) return;
    event.preventDefault(); // no selecting of text on the way
    grip.setPointerCapture(event.pointerId);
    drag = { row: grip.closest(".person"), from: event.clientY, moved: false };
  }

  function dragTo(event) {
    if (!drag || (!drag.moved && Math.abs(event.clientY - drag.from) < 8)) return;
    drag.moved = true;
    drag.row.classList.add("dragged");
    const middle = (row) => row.getBoundingClientRect().top + row.offsetHeight / 2;
    const after = rows().find((row) => row !== drag.row && event.clientY < middle(row));
    if (after !== drag.row.nextElementSibling) list().insertBefore(drag.row, after ?? null);
  }

  function drop(event) {
    if (!drag) return;
    const { row, moved } = drag;
    drag = null;
    row.classList.remove("dragged");
    if (event.type === "pointerup" && !moved) move(row, -1, true);
    else if (moved) seated(row);
  }

  function move(row, by, around = false) {
    const all = rows();
    const to = all.indexOf(row) + by;
    if (!around && (to < 0 || to >= all.length)) return;
    all.splice(all.indexOf(row), 1);
    all.splice((to + all.length + 1) % (all.length + 1), 0, row);
    list().append(...all);
    seated(row);
  }

  function seated(row) {
    row.querySelector(".grip").focus();
    const seat = rows().indexOf(row) + 1;
    document.getElementById("said").textContent = list().dataset.moved
      .replace("{name}", nameOf(row).value.trim() || nameOf(row).placeholder)
      .replace("{seat}", seat);
    changed(row.closest("form"));
  }

  // ---- rules ----
  const presets = (form) => (form.presets ??= JSON.parse(form.dataset.presets)); // "" is what all begin with
  const base = (form) => ({ ...presets(form)[""], ...presets(form)[preset(form)] });
  const preset = (form) => form.querySelector('[name="preset"]:checked').value;
  const switches = (form) => [...form.querySelectorAll("[data-switch]")];
  const starter = () => document.getElementById("starter");

  function house(form) {
    const usual = base(form);
    if (switches(form).length === 0) {
      const own = Object.entries(form.own ?? {}).filter(([name]) => name in usual);
      return Object.fromEntries(own.filter(([name, value]) => JSON.stringify(usual[name]) !== JSON.stringify(value)));
    }
    const different = switches(form).filter((one) => JSON.stringify(usual[one.dataset.switch]) !== one.value);
    return Object.fromEntries(different.map((one) => [one.dataset.switch, JSON.parse(one.value)]));
  }

  // The list of all switches is long: it comes after the page, and is filled in with what was chosen meanwhile.
  async function loadSwitches(form) {
    const place = form.querySelector("[data-switches]");
    // what searches and unfolds the list is there before it, so that no tap on it is lost
    const both = [askBox(place.dataset.switches), runScript("house-script", place.dataset.script)];
    const [answer] = await Promise.all(both).catch(() => []);
    if (!form.isConnected) return;
    if (!answer?.ok) return setTimeout(loadSwitches, AGAIN_MS, form);
    place.outerHTML = answer.text;
    takeRules(form, preset(form), form.own);
    changed(form);
  }

  function takeRules(form, name, own = {}) {
    form.own = own;
    const chosen = form.querySelector(`[name="preset"][value="${CSS.escape(name ?? "")}"]`);
    if (chosen) chosen.checked = true;
    if (chosen?.closest("details")) chosen.closest("details").open = true;
    const values = { ...base(form), ...own };
    for (const one of switches(form)) {
      const value = JSON.stringify(values[one.dataset.switch]);
      one.value = value;
      if (!one.value) one.add(new Option(`${one.previousElementSibling.textContent}: ${value}`, value, true, true));
    }
  }

  function tellRules(form) {
    if (!form.isConnected) return; // a game began while a script or an answer was under way
    const fewer = { ...base(form), ...house(form) };
    for (const one of document.querySelectorAll("#people .handicap")) {
      one.hidden = !fewer.handicap;
      for (const option of one.options) option.disabled = Number(option.value) >= fewer.starting_dice;
    }
    const lives = switches(form).some((one) => one.dataset.switch === "lives" && one.value !== "null"); // the sentences speak of them
    for (const one of form.querySelectorAll("[data-words]")) one.textContent = JSON.parse(one.dataset.words)[Number(lives)];
    for (const one of switches(form)) one.nextElementSibling.textContent = one.selectedOptions[0]?.textContent ?? "";
    const count = Object.keys(house(form)).length;
    showCount(document.getElementById("changed"), count);
    const own = Object.keys(house(form));
    for (const subject of form.querySelectorAll(".subject")) {
      const switched = switches(subject).filter((one) => own.includes(one.dataset.switch));
      showCount(subject.querySelector(".tag"), switched.length);
    }
    document.dispatchEvent(new CustomEvent("rules", { detail: { form, own, usual: base(form) } }));
  }

  function showCount(tag, count) {
    tag.hidden = count === 0;
    tag.textContent = String(count);
  }

  // What the rules say of the choice is shown at the switch it is about; what means nothing is not shown.
  let asked = 0;
  async function judge(form) {
    const mine = ++asked;
    const json = { preset: preset(form), house: house(form), players: named().length };
    try {
      const answer = await askBox("/api/v1/setup/check", { json });
      if (answer.ok && mine === asked) show(form, answer.read());
    } catch {
      // the box cannot be reached: it will say at the start what it thinks
    }
  }

  function show(form, { refused, remarks, moot }) {
    for (const place of form.querySelectorAll("[data-remark]")) {
      const said = refused[place.dataset.remark] ?? remarks[place.dataset.remark] ?? "";
      place.hidden = !said;
      if (place.textContent !== said) place.textContent = said;
      place.classList.toggle("refused", place.dataset.remark in refused);
    }
    for (const one of switches(form)) one.closest(".switch").hidden = moot.includes(one.dataset.switch);
    for (const one of form.querySelectorAll("details:has(.refused)")) one.open = true;
    tellRules(form);
  }

  // ---- start ----
  function fault() {
    const names = named().map((one) => one.name.toLocaleLowerCase());
    const twice = names.filter((one, n) => names.indexOf(one) !== n);
    const few = names.length < FEWEST;
    for (const row of rows()) {
      const name = nameOf(row).value.trim().toLocaleLowerCase();
      nameOf(row).setAttribute("aria-invalid", String(twice.includes(name) || (few && !name)));
    }
    return few ? "few" : twice.length ? "twice" : "";
  }

  function beginning() {
    const wanted = starter().value;
    if (wanted === "?") return {}; // the box draws lots
    if (wanted === "!") return { roll_off: true };
    return { starter: wanted.startsWith("=") ? wanted.slice(1) : named()[0].name };
  }

  async function start(form) {
    const wrong = fault();
    const note = document.getElementById("setup-fault");
    note.hidden = !wrong;
    if (wrong) {
      note.textContent = note.dataset[wrong];
      return form.querySelector('.name[aria-invalid="true"]')?.focus();
    }
    const refused = form.querySelector(".refused");
    if (refused) return refused.scrollIntoView({ block: "center" });
    const players = named().map((one) => ({ ...one, phone_cup: one.phone_cup || (isSimulated() && !one.bot) }));
    const detail = { type: "new_game", players, preset: preset(form), house: house(form), ...beginning() };
    await sitAlone(detail.players.filter((one) => !one.bot));
    document.dispatchEvent(new CustomEvent("command", { detail }));
  }

  // Whoever starts alone with bots has the one seat, and the cup in this phone.
  async function sitAlone([own, another]) {
    if (!own || another || !isSimulated() || guests().length) return;
    await askBox("/api/v1/phone", { json: { come: { name: own.name, colour: own.colour } } }).catch(() => {});
  }

  // ---- the form as a whole ----
  function starters() {
    const select = starter();
    const before = select.value;
    const fixed = [...select.options].slice(0, 3);
    select.replaceChildren(...fixed, ...named().map((one) => new Option(one.name, `=${one.name}`)));
    select.value = [...select.options].some((one) => one.value === before) ? before : "";
  }

  function changed(form) {
    if (!form.isConnected) return; // the game has begun in the meantime
    rows().forEach((row, n) => (nameOf(row).placeholder = playerName(n)));
    for (const id of ["add-person", "add-bot"]) document.getElementById(id).disabled = rows().length >= MOST;
    for (const drop of document.querySelectorAll(".drop")) drop.disabled = rows().length <= FEWEST;
    starters();
    tellRules(form);
    if (!document.getElementById("setup-fault").hidden) document.getElementById("setup-fault").hidden = !fault();
    remember(form);
    tellBots();
    judge(form);
  }

  function take(form, known) {
    list().replaceChildren();
    for (const person of known.players) (person.bot ? seatBot : add)(person);
    while (rows().length < FEWEST) add();
    takeRules(form, known.preset, known.house);
    starters();
    starter().value = known.starter ?? "";
    changed(form);
  }

  const groups = () => [...document.querySelectorAll("[data-group]")].map((one) => JSON.parse(one.dataset.group));
  const areSeated = (known) => Array.isArray(known?.players) && known.players.every((one) => typeof one?.name === "string");
  const usable = (known) => areSeated(known) && known.players.some((one) => one.name);

  // Of a game that began, its people come back as they are called and sit now. Who played alone is no group.
  function fill(form) {
    const [own, last] = [draft(), groups()[0]];
    if (own.began && last && areSeated(own)) own.players = [...last.players, ...own.players.filter((one) => one.bot)];
    const known = [own, last?.players.length > 1 && last].find(usable);
    began = false;
    touched = Boolean(known);
    take(form, known ?? { players: isSimulated() ? ALONE : [{}, {}, {}] });
    form.dataset.filled = "yes";
    adopt(form, location.href);
  }

  // The rules of another table, from its link: opened here, or typed in.
  function adopt(form, link) {
    try {
      const { preset, house } = JSON.parse(new URL(link).searchParams.get("rules"));
      takeRules(form, preset, house);
      changed(form);
      return true;
    } catch {
      return !link; // no link, or none with rules
    }
  }

  function tap(event) {
    const form = event.currentTarget;
    const row = event.target.closest(".person");
    if (event.target.closest("#add-person")) nameOf(add())?.focus();
    else if (event.target.closest("#add-bot")) seatBot();
    else if (row && event.target.closest(".drop")) {
      if (row.dataset.guest) sentAway.push(row.dataset.guest);
      row.remove();
    } else if (row && event.target.closest(".in-phone")) flip(event.target.closest(".in-phone"));
    else if (row && event.target.closest(".real")) flip(event.target.closest(".real"));
    else return;
    changed(form);
  }

  function key(event) {
    const row = event.target.closest(".person");
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (row && event.target.matches(".grip") && (by || event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      move(row, by ?? -1, !by);
    } else if (row && event.target.matches(".name") && event.key === "Enter") {
      event.preventDefault();
      nameOf(row.nextElementSibling ?? add() ?? row).focus();
    }
  }

  function typed(event) {
    const form = event.currentTarget;
    if (event.target.matches("[data-search]")) return;
    const row = event.target.closest(".person");
    if (row) paint(row);
    if (event.target.id === "rules-link") return (document.getElementById("no-link").hidden = adopt(form, event.target.value));
    if (event.target.name === "preset") takeRules(form, event.target.value);
    changed(form);
  }

  // ---- who has sat down by phone: a row for each, under the name said there ----
  const guests = () => JSON.parse(document.getElementById("lobby-people")?.dataset.people ?? "[]");
  let sentAway = [];
  function welcome(form) {
    const here = guests().filter((one) => !sentAway.includes(one.name));
    const before = JSON.stringify(people());
    for (const row of rows()) {
      if (row.dataset.guest && !here.some((one) => one.name === row.dataset.guest)) row.remove();
    }
    const alone = "alone" in document.getElementById("lobby-people").dataset;
    if (here.length && !alone && !touched) rows().filter(isBot).forEach((row) => row.remove()); // nobody is alone
    for (const one of here) seatGuest(one);
    while (rows().length < FEWEST) add();
    if (JSON.stringify(people()) !== before) changed(form);
  }

  // Guests see which bots will play.
  let toldBots = "";
  function tellBots() {
    const bots = people().filter((one) => one.bot && one.name).map((one) => one.name);
    if (String(bots) === toldBots || !("leads" in (document.getElementById("lobby-people")?.dataset ?? {}))) return;
    toldBots = String(bots);
    askBox("/api/v1/phone", { json: { bots } }).catch(() => (toldBots = null));
  }

  function seatGuest(one) {
    const known = rows().find((row) => nameOf(row).value.trim() === one.name);
    const row = known ?? rows().find((free) => !free.dataset.guest && !nameOf(free).value.trim()) ?? add();
    if (!row) return;
    row.dataset.guest = nameOf(row).value = one.name;
    nameOf(row).readOnly = true;
    if (colours().includes(one.colour)) row.querySelector(".colour").value = one.colour;
    row.querySelector(".in-phone").setAttribute("aria-pressed", String(one.phone_cup));
    paint(row);
  }

  // ---- groups: one tap takes the people, their dice and their rules ----
  function choose(event) {
    const group = event.target.closest("[data-group]");
    const form = document.getElementById("setup");
    touched ||= Boolean(group);
    if (group && form) take(form, JSON.parse(group.dataset.group));
  }

  async function keepGroup(event) {
    if (!event.target.matches("[data-group-form]")) return;
    event.preventDefault();
    const group = event.target.dataset.groupForm;
    const forget = event.submitter?.value === "forget";
    const json = forget ? { group, forget } : { group, name: event.target.elements.name.value };
    const answer = await askBox("/api/v1/groups", { json }).catch(() => null);
    if (answer?.ok) return location.reload(); // what was typed is remembered
    const note = event.target.querySelector(".note");
    note.textContent = answer ? answer.read().title : document.getElementById("frame").dataset.lost;
    note.hidden = false;
  }

  let met = null;
  function ready() {
    const form = document.getElementById("setup");
    if (!form || form === met) return;
    met = form; // at once: filling it in changes the page, which calls this again
    for (const kind of ["pointerdown", "click", "keydown", "input"]) form.addEventListener(kind, () => (touched = true), true);
    form.addEventListener("click", tap);
    form.addEventListener("keydown", key);
    form.addEventListener("input", typed);
    form.addEventListener("pointerdown", grab);
    form.addEventListener("pointermove", dragTo);
    form.addEventListener("pointerup", drop);
    form.addEventListener("pointercancel", drop);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      start(form);
    });
    fill(form);
    loadSwitches(form);
    welcome(form);
  }

  document.addEventListener("click", choose);
  document.addEventListener("swapped", () => met && met === document.getElementById("setup") && welcome(met));
  document.addEventListener("submit", keepGroup);
  document.addEventListener("begun", begin);
  new MutationObserver(ready).observe(document.getElementById("frame"), { childList: true, subtree: true });
  ready();
})();
