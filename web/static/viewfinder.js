// A live view through the phone's camera. The box reads a small preview a second; once it has seen all dice lie still
// twice in succession, the picture is taken. Browsers open a camera to https and to the box itself alone.
const CAMERA = { audio: false, video: { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1440 } } };
const MIN_PX = 1280; // of the picture's longer side
const PREVIEW_PX = 960;
const PREVIEW_QUALITIES = [0.7, 0.5, 0.3]; // the first is taken with which a preview is small enough
const PREVIEW_BYTES = 96 * 1024;
const PREVIEW_MS = 1050; // the box takes one a second
const STILL = 0.5; // a die has moved that lies farther from where one was, in die widths
const START_MS = 150; // a camera that opens or fails sooner needs no word

let shown = null; // the view that is open: its dialog, its stream, what it last saw
const part = (name) => shown.dialog.querySelector(`[data-part="${name}"]`);

// Opens the view for a button's picture. `camera` has what camera.js does with pictures: `deliver` sends one and gives ""
// or a sentence. Gives "" once the camera works, else the sentence that says why not.
export async function open(wanted, camera) {
  if (shown) return "";
  const dialog = document.createElement("dialog");
  Object.assign(dialog, { id: "viewfinder", className: "viewfinder" });
  dialog.innerHTML = (await askBox("/sheet/viewfinder", { cache: "no-store" })).text;
  const words = dialog.firstElementChild.dataset;
  dialog.setAttribute("aria-label", words.title);
  document.body.append(dialog);
  const view = (shown = { dialog, words, wanted, camera, stream: null, before: null, sending: false });
  dialog.addEventListener("close", () => end(view));
  dialog.addEventListener("click", tap);
  const slow = setTimeout(() => dialog.showModal(), START_MS);
  try {
    await start(view);
  } catch (error) {
    end(view);
    return ["NotAllowedError", "SecurityError"].includes(error.name) ? words.refused : words.none;
  } finally {
    clearTimeout(slow);
  }
  watch(view);
  return "";
}

async function start(view) {
  const stream = await navigator.mediaDevices.getUserMedia(CAMERA);
  view.stream = stream;
  if (shown !== view) return end(view); // closed while the camera started
  const video = part("video");
  video.srcObject = stream;
  await video.play();
  if (Math.max(video.videoWidth, video.videoHeight) < MIN_PX) throw new Error("the camera's picture is too small");
  stream.getVideoTracks()[0].addEventListener("ended", () => view.dialog.close()); // another program took it
  if (!view.dialog.open) view.dialog.showModal();
  part("shoot").disabled = false;
  part("seen").textContent = "";
  if (document.getElementById("work")) part("hint").textContent = ""; // the page itself says what to show
  part("marks").setAttribute("viewBox", `0 0 ${video.videoWidth} ${video.videoHeight}`);
}

// Gives the camera back, however the view came to its end.
function end(view) {
  for (const track of view.stream ? view.stream.getTracks() : []) track.stop();
  view.dialog.remove();
  if (shown === view) shown = null;
}

function tap(event) {
  if (event.target.closest("[data-leave]")) shown.dialog.close();
  else if (event.target.closest('[data-part="shoot"]')) shoot(shown);
}

// ---- previews ----
async function watch(view) {
  while (shown === view && view.wanted.picture !== "0") {
    const next = pause(PREVIEW_MS);
    if (!view.sending) await look(view).catch(() => {}); // the page itself says that the box is gone
    await next;
  }
}

async function look(view) {
  const body = view.camera.formOf(view.wanted, await small(view), "preview.jpg");
  const answer = await askBox("/api/v1/previews", { method: "POST", body });
  if (shown !== view || view.sending || !answer.ok) return;
  const seen = answer.read();
  show(view, seen);
  const before = view.before;
  view.before = seen.hint === "hold" ? seen.dice : null;
  if (view.before && before && isStill(before, view.before)) await shoot(view);
}

function isStill(before, now) {
  const { videoWidth, videoHeight } = part("video");
  const near = (one, other) => Math.hypot(one.x - other.x, ((one.y - other.y) * videoHeight) / videoWidth) < STILL * one.size;
  return now.every((one) => before.some((other) => near(one, other)));
}

function show(view, { dice, expected, hint }) {
  put("seen", view.words.seen.replace("{seen}", dice.length).replace("{n}", expected));
  put("hint", view.words[hint]);
  const { videoWidth, videoHeight } = part("video");
  const rings = dice.map(({ x, y, size }) => {
    const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    for (const [name, value] of [["cx", x * videoWidth], ["cy", y * videoHeight], ["r", size * videoWidth * 0.8]]) ring.setAttribute(name, value);
    return ring;
  });
  part("marks").replaceChildren(...rings);
  part("marks").classList.toggle("all", hint === "hold");
}

// Told once, not with every preview: a screen reader speaks what is put there.
function put(name, text) {
  if (part(name).textContent !== text) part(name).textContent = text;
}

// ---- pictures ----
async function shoot(view) {
  if (view.sending) return;
  view.sending = true;
  const video = part("video");
  const picture = await view.camera.jpeg(video, video.videoWidth, video.videoHeight);
  video.pause(); // shows the picture that is read
  part("shoot").disabled = true;
  put("refused", "");
  put("hint", view.wanted.sending);
  const refused = await view.camera.deliver(view.wanted, picture, "dice.jpg");
  if (shown !== view) return;
  if (!refused) return view.dialog.close();
  put("refused", refused);
  put("hint", "");
  part("shoot").disabled = false;
  Object.assign(view, { sending: false, before: null });
  await video.play();
}

async function small({ camera }) {
  const video = part("video");
  let made = null;
  for (const quality of PREVIEW_QUALITIES) {
    made = await camera.jpeg(video, video.videoWidth, video.videoHeight, PREVIEW_PX, quality);
    if (made.size <= PREVIEW_BYTES) break;
  }
  return made;
}

// ---- the end ----
// The reveal is over when its page has no button for its pictures any more: another phone's picture settled it.
function swapped() {
  if (shown && !document.querySelector(`#live [data-picture="${shown.wanted.picture}"]`)) shown.dialog.close();
}

function away() {
  if (shown) (shown.dialog.open ? shown.dialog.close() : end(shown));
}

document.addEventListener("swapped", swapped);
document.addEventListener("visibilitychange", () => document.hidden && away());
addEventListener("pagehide", away);
