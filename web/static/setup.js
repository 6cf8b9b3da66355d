// The set-up form: who plays with which dice, in the order of the table. The last people are remembered here.
"use strict";
(() => {
  const MOST = 12;
  const FEWEST = 2;
  const COLOURS = [...(document.getElementById("person")?.content.querySelectorAll("option") ?? [])].map((o) => o.value);

  function remembered() {
    try {
      return JSON.parse(localStorage.getItem("people")) ?? [];
    } catch {
      return [];
    }
  }

  function remember(people) {
    try {
      localStorage.setItem("people", JSON.stringify(people));
    } catch {
      // a private window keeps nothing; the form works all the same
    }
  }

  const rows = () => [...document.querySelectorAll("#people .person")];
  const people = () =>
    rows().map((row) => ({
      name: row.querySelector(".name").value.trim(),
      colour: row.querySelector(".colour").value,
      phone_cup: row.querySelector(".in-phone").getAttribute("aria-pressed") === "true",
    }));

  function paint(row) {
    row.querySelector(".die").setAttribute("class", `die c-${row.querySelector(".colour").value}`);
  }

  function add(person = {}) {
    const list = document.getElementById("people");
    const colours = document.querySelectorAll("#person");
    if (!colours.length || rows().length >= MOST) return null;
    const row = colours[0].content.firstElementChild.cloneNode(true);
    const taken = people().map((one) => one.colour);
    row.querySelector(".name").value = person.name ?? "";
    row.querySelector(".colour").value = person.colour ?? COLOURS.find((one) => !taken.includes(one)) ?? "white";
    row.querySelector(".in-phone").setAttribute("aria-pressed", String(person.phone_cup === true));
    list.append(row);
    paint(row);
    return row;
  }

  function starters() {
    const select = document.getElementById("starter");
    const before = select.value;
    const fixed = [...select.options].slice(0, 3);
    const named = people().filter((one) => one.name).map((one) => new Option(one.name, `=${one.name}`));
    select.replaceChildren(...fixed, ...named);
    select.value = [...select.options].some((one) => one.value === before) ? before : "";
  }

  function changed() {
    document.getElementById("add-person").disabled = rows().length >= MOST;
    for (const drop of document.querySelectorAll(".drop")) drop.disabled = rows().length <= FEWEST;
    remember(people());
    starters();
  }

  // ---- rules -------------------------------------------------------------------------------------------
  const presets = (form) => JSON.parse(form.dataset.presets);
  const preset = (form) => form.querySelector('[name="preset"]:checked').value;
  const switches = (form) => [...form.querySelectorAll("[data-switch]")];

  function house(form) {
    const base = presets(form)[preset(form)];
    const different = switches(form).filter((one) => JSON.stringify(base[one.dataset.switch]) !== one.value);
    return Object.fromEntries(different.map((one) => [one.dataset.switch, JSON.parse(one.value)]));
  }

  function tellRules(form) {
    for (const one of switches(form)) one.nextElementSibling.textContent = one.selectedOptions[0]?.textContent ?? "";
    const count = Object.keys(house(form)).length;
    const tag = document.getElementById("changed");
    tag.hidden = count === 0;
    tag.textContent = String(count);
  }

  function takePreset(form) {
    const base = presets(form)[preset(form)];
    for (const one of switches(form)) one.value = JSON.stringify(base[one.dataset.switch]);
    tellRules(form);
  }

  // ---- start -------------------------------------------------------------------------------------------
  function fault(named) {
    const names = named.map((one) => one.name.toLocaleLowerCase());
    if (named.length < FEWEST) return "few";
    return new Set(names).size < names.length ? "twice" : "";
  }

  function beginning(named) {
    const wanted = document.getElementById("starter").value;
    if (wanted === "?") return {}; // the box draws lots
    if (wanted === "!") return { roll_off: true };
    return { starter: wanted.startsWith("=") ? wanted.slice(1) : named[0].name };
  }

  function start(form) {
    const named = people().filter((one) => one.name);
    const wrong = fault(named);
    const note = document.getElementById("setup-fault");
    note.hidden = !wrong;
    if (wrong) {
      note.textContent = note.dataset[wrong];
      rows().find((row) => !row.querySelector(".name").value.trim())?.querySelector(".name").focus();
      return;
    }
    const detail = { type: "new_game", players: named, preset: preset(form), house: house(form), ...beginning(named) };
    document.dispatchEvent(new CustomEvent("command", { detail }));
  }

  function fill(form) {
    const known = remembered().filter((one) => one && typeof one.name === "string");
    for (const person of known.length >= FEWEST ? known : [{}, {}, {}]) add(person);
    takePreset(form);
    changed();
    form.dataset.filled = "yes";
  }

  function tap(event) {
    const row = event.target.closest(".person");
    if (event.target.closest("#add-person")) add()?.querySelector(".name").focus();
    else if (row && event.target.closest(".drop")) row.remove();
    else if (row && event.target.closest(".in-phone")) flip(event.target.closest(".in-phone"));
    else if (row && event.target.closest(".up")) (row.previousElementSibling ?? row.parentElement.lastElementChild.nextElementSibling)?.before(row);
    else return;
    changed();
  }

  function flip(button) {
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
  }

  function next(event) {
    if (event.key !== "Enter" || !event.target.matches(".person .name")) return;
    event.preventDefault();
    const row = event.target.closest(".person").nextElementSibling ?? add();
    row?.querySelector(".name").focus();
  }

  function ready() {
    const form = document.getElementById("setup");
    if (!form || form.dataset.filled) return;
    form.addEventListener("click", tap);
    form.addEventListener("keydown", next);
    form.addEventListener("input", (event) => {
      const row = event.target.closest(".person");
      if (row) paint(row);
      if (row) changed();
      if (event.target.name === "preset") takePreset(form);
      else if (event.target.matches("[data-switch]")) tellRules(form);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      start(form);
    });
    fill(form);
  }

  new MutationObserver(ready).observe(document.getElementById("frame"), { childList: true, subtree: true });
  ready();
})();
