// Takes a picture of the dice with the phone's own camera and sends it, made smaller here where the browser can.
// Where browsers open a camera to the page, viewfinder.js shows a live view first. It is fetched with the first reveal.
"use strict";
(() => {
  const LONGEST_PX = 1920; // what the box reads
  const QUALITY = 0.88;
  const PICTURE_MS = 75000; // to arrive, to wait for its turn and to be read
  const SLOW_MS = 30000; // so long nothing takes where all is well
  const READ = ["image/jpeg", "image/png", "image/webp"];
  const frame = document.getElementById("frame");
  const input = Object.assign(document.createElement("input"), { type: "file", accept: "image/*", hidden: true });
  let wanted = null; // the button for the next picture: of which reveal, of which place
  let viewfinder = isSecureContext && navigator.mediaDevices ? importScript(frame.dataset.viewfinder) : null;
  viewfinder?.catch(() => {}); // told to whoever opens it

  input.setAttribute("capture", "environment");
  document.body.append(input); // outside of what is drawn again while the camera is open

  const toast = (words) => document.dispatchEvent(new CustomEvent("toast", { detail: words }));

  async function open(event) {
    const button = event.target.closest("[data-picture]");
    if (!button) return;
    wanted = { ...button.dataset };
    if (viewfinder && !(await live(wanted))) return;
    input.value = "";
    input.click();
  }

  // Whether the file input is to be opened instead, also from now on: there is no live view, and a sentence says why.
  async function live(wanted) {
    try {
      const refused = await (await viewfinder).open(wanted, deliver);
      if (!refused) return false;
      toast(refused);
    } catch {
      toast(frame.dataset.lost);
    }
    viewfinder = null;
    return true;
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
    const button = wanted;
    wanted = null;
    toast(button.sending);
    await deliver(button, await smaller(file), file.name);
  }

  // Sends a picture and tells what came of it; gives "" where it was taken, else the sentence.
  async function deliver({ picture, place, slow }, file, name) {
    let words = frame.dataset.lost;
    const late = setTimeout(() => toast(slow), SLOW_MS);
    try {
      const form = new FormData();
      form.append("reveal", picture);
      if (place) form.append("place", place);
      if (document.getElementById("work")) form.append("use", "workshop");
      form.append("picture", file, name);
      const answer = await askBox("/api/v1/pictures", { method: "POST", body: form, limit: PICTURE_MS });
      words = answer.ok ? "" : answer.read().title;
    } catch {
      // shown below
    }
    clearTimeout(late);
    toast(words);
    return words;
  }

  document.addEventListener("click", open);
  input.addEventListener("change", send);
})();
