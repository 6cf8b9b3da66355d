// Takes a picture of the dice with the phone's own camera and sends it, made smaller here where the browser can.
// It is fetched with the first reveal.
"use strict";
(() => {
  const LONGEST_PX = 1920; // what the box reads
  const QUALITY = 0.88;
  const READ = ["image/jpeg", "image/png", "image/webp"];
  const input = Object.assign(document.createElement("input"), { type: "file", accept: "image/*", hidden: true });
  let wanted = null; // the button for the next picture: of which reveal, of which place

  input.setAttribute("capture", "environment");
  document.body.append(input); // outside of what is drawn again while the camera is open

  const tell = (words) => document.dispatchEvent(new CustomEvent("told", { detail: words }));

  function open(event) {
    const button = event.target.closest("[data-picture]");
    if (!button) return;
    wanted = { ...button.dataset };
    input.value = "";
    input.click();
  }

  // Every browser turns the picture upright; one that cannot read it sends it as it is, and the box says why not.
  async function smaller(file) {
    try {
      const image = await createImageBitmap(file);
      const scale = LONGEST_PX / Math.max(image.width, image.height);
      if (scale >= 1 && READ.includes(file.type)) return file;
      const canvas = document.createElement("canvas");
      canvas.width = Math.round(image.width * Math.min(1, scale));
      canvas.height = Math.round(image.height * Math.min(1, scale));
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      image.close();
      return (await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY))) || file;
    } catch {
      return file;
    }
  }

  async function send() {
    const [file] = input.files;
    if (!file || !wanted) return;
    const { picture, place, sending } = wanted;
    wanted = null;
    tell(sending);
    try {
      const form = new FormData();
      form.append("reveal", picture);
      if (place) form.append("place", place);
      if (document.getElementById("work")) form.append("use", "workshop");
      form.append("picture", await smaller(file), file.name);
      const answer = await fetch("/api/v1/pictures", { method: "POST", body: form });
      tell(answer.ok ? "" : (await answer.json()).title);
    } catch {
      tell(document.getElementById("frame").dataset.lost);
    }
  }

  document.addEventListener("click", open);
  input.addEventListener("change", send);
})();
