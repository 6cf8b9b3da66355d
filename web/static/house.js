// House rules on the set-up page: searched, unfolded at once, and shown in words where they differ from the table chosen.
"use strict";
(() => {
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();
  const switches = (place) => [...place.querySelectorAll("[data-switch]")];
  const labelOf = (one) => one.closest(".switch").querySelector("span").textContent;

  // ---- search: every word must stand in the rule, in one of its values or in its subject ----
  function textOf(one, subject) {
    const values = [...one.options].map((option) => option.textContent);
    return plain([subject.querySelector("summary").textContent, labelOf(one), ...values].join(" "));
  }

  function find(form, wanted) {
    const words = plain(wanted).split(/\s+/).filter(Boolean);
    let found = 0;
    for (const subject of form.querySelectorAll(".subject")) {
      const here = switches(subject).filter((one) => words.every((word) => textOf(one, subject).includes(word)));
      for (const one of switches(subject)) one.closest(".switch").classList.toggle("unfound", !here.includes(one));
      subject.classList.toggle("unfound", here.length === 0);
      subject.open = words.length > 0 && here.length > 0;
      found += here.length;
    }
    document.getElementById("none-found").hidden = found > 0;
    unfolded(form, false);
  }

  function unfolded(form, all) {
    form.querySelector("[data-all]").setAttribute("aria-pressed", String(all));
  }

  function unfold(form) {
    const all = form.querySelector("[data-all]").getAttribute("aria-pressed") !== "true";
    form.querySelector("[data-search]").value = "";
    find(form, "");
    for (const subject of form.querySelectorAll(".subject")) subject.open = all;
    unfolded(form, all);
  }

  // ---- what differs from the table chosen, each with a way back ----
  function row(one, usual, words) {
    const line = document.createElement("li");
    const back = document.createElement("button");
    Object.assign(back, { type: "button", className: "icon", textContent: "✕" });
    back.setAttribute("aria-label", words.replace("{rule}", labelOf(one)));
    back.addEventListener("click", () => {
      one.value = JSON.stringify(usual);
      one.dispatchEvent(new Event("input", { bubbles: true }));
    });
    line.append(one.selectedOptions[0]?.textContent ?? "", back);
    return line;
  }

  function showDifferences({ detail: { form, own, usual } }) {
    const place = document.getElementById("differences");
    const chosen = form.querySelector('[name="preset"]:checked').closest("label").querySelector("b");
    const changed = switches(form).filter((one) => own.includes(one.dataset.switch) && !one.closest(".switch").hidden);
    place.hidden = changed.length === 0;
    place.querySelector("h2").textContent = place.dataset.like.replace("{name}", chosen.firstChild.textContent.trim());
    const rows = changed.map((one) => row(one, usual[one.dataset.switch], place.dataset.usual));
    place.querySelector("ul").replaceChildren(...rows);
  }

  document.addEventListener("rules", showDifferences);
  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-search]")) find(event.target.form, event.target.value);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("[data-search]")) event.preventDefault(); // it starts no game
  });
  document.addEventListener("click", (event) => {
    const all = event.target.closest("[data-all]");
    if (all) unfold(all.form);
  });
})();
