// Deletes a kept game, after it was asked for twice.
"use strict";
(() => {
  const sheet = document.getElementById("delete");
  const refused = sheet.querySelector('[role="alert"]');

  async function remove(button) {
    button.disabled = true;
    try {
      const answer = await askBox(`/api/v1/games/${button.dataset.delete}`, { method: "DELETE" });
      if (answer.ok) {
        document.dispatchEvent(new CustomEvent("deleted", { detail: button.dataset.delete }));
        return location.replace("/statistics");
      }
      refused.textContent = answer.read().title;
      refused.hidden = false;
    } catch {
      connected(false);
    }
    button.disabled = false;
  }

  for (const open of document.querySelectorAll("[data-delete-open]"))
    open.addEventListener("click", () => {
      sheet.querySelector("[data-delete]").dataset.delete = open.dataset.deleteOpen;
      sheet.showModal();
    });
  sheet.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-delete]");
    if (button) remove(button);
    else if (target === sheet || target.closest("[data-close]")) sheet.close();
  });
})();
