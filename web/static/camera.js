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
      const refused = await (await viewfinder).open(wanted, { deliver, formOf, jpeg });
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
      if (Math.max(image.width, image.height) <= LONGEST_PX && READ.includes(file.type)) return file;
      const made = jpeg(image, image.width, image.height);
      image.close();
      return await made;
    } catch {
      return file;
    }
  }

  // What is shown, width by height, as a picture that is no longer than the box reads.
  function jpeg(shown, width, height, longest = LONGEST_PX, quality = QUALITY) {
    const scale = Math.min(1, longest / Math.max(width, height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext("2d").drawImage(shown, 0, 0, canvas.width, canvas.height);
    return new Promise((done, failed) => canvas.toBlob((made) => (made ? done(made) : failed(new Error("no picture"))), "image/jpeg", quality));
  }

  function formOf({ picture, place }, file, name) {
    const form = new FormData();
    form.append("reveal", picture);
    if (place) form.append("place", place);
    if (document.getElementById("work")) form.append("use", "workshop");
    form.append("picture", file, name);
    return form;
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
  async function deliver(wanted, file, name) {
    let words = frame.dataset.lost;
    const late = setTimeout(() => toast(wanted.slow), SLOW_MS);
    try {
      const answer = await askBox("/api/v1/pictures", { method: "POST", body: formOf(wanted, file, name), limit: PICTURE_MS });
      words = answer.ok ? "" : answer.read().title;
    } catch {
      // shown below
    }
    clearTimeout(late);
    toast(words || (frame.dataset.taken ?? ""));
    return words;
  }

  document.addEventListener("click", open);
  input.addEventListener("change", send);
})();
