// What a phone does when something happens: its title, a buzz, short sounds, and the count that leads to a verdict.
"use strict";
(() => {
  const live = () => document.getElementById("live");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  // ---- sounds: notes as [frequency in Hz, start in s, length in s]; nothing plays before a tap ----
  const NOTES = {
    bid: [[440, 0, 0.07]],
    turn: [[660, 0, 0.12], [880, 0.14, 0.2]],
    dudo: [[196, 0, 0.18], [147, 0.2, 0.35]],
    counted: [[520, 0, 0.06]],
    roll: [0, 1, 2, 3, 4, 5, 6].map((n) => [[170, 240, 200][n % 3], n * 0.08, 0.05]),
    stands: [[523, 0, 0.12], [659, 0.13, 0.12], [784, 0.26, 0.3]],
    fails: [[392, 0, 0.16], [330, 0.18, 0.16], [262, 0.36, 0.35]],
    out: [[330, 0, 0.2], [247, 0.22, 0.2], [165, 0.44, 0.5]],
    winner: [[523, 0, 0.12], [659, 0.12, 0.12], [784, 0.24, 0.12], [1047, 0.36, 0.5]],
  };
  const LOUDNESS = 0.12;
  let speaker = null;

  function awaken() {
    if (remembered("sound") === "on") speaker = speaker || new AudioContext();
    speaker?.resume();
  }

  function play(kind) {
    if (remembered("sound") !== "on" || !speaker || document.hidden) return;
    for (const [hertz, start, length] of NOTES[kind] || []) {
      const tone = speaker.createOscillator();
      const volume = speaker.createGain();
      const from = speaker.currentTime + start;
      tone.type = "triangle";
      tone.frequency.value = hertz;
      volume.gain.setValueAtTime(LOUDNESS, from);
      volume.gain.exponentialRampToValueAtTime(0.001, from + length);
      tone.connect(volume).connect(speaker.destination);
      tone.start(from);
      tone.stop(from + length);
    }
  }

  function choose(button) {
    remembered("sound", button.dataset.sound);
    showChoice("sound");
    awaken();
    play("turn");
  }

  // ---- the count that leads to a verdict ----
  const LONGEST_STEP_MS = 320;
  const COUNT_MS = 2200; // for all dice but the last
  const BREATH_MS = 700; // before the last one
  const DECIDE_MS = 350; // after it
  let counting = null;

  function countUp() {
    const verdict = document.querySelector(".verdict");
    const dice = verdict ? [...verdict.querySelectorAll(".count")] : [];
    if (!dice.length || calm.matches) return false;
    const sum = verdict.querySelector(".sum");
    const total = sum.textContent;
    const step = Math.min(LONGEST_STEP_MS, COUNT_MS / dice.length);
    counting = { verdict, sum, total, timers: [] };
    verdict.classList.add("count-up");
    sum.textContent = "0";
    dice.forEach((die, at) => {
      const last = at === dice.length - 1;
      counting.timers.push(setTimeout(() => count(die, at + 1), step * (at + 1) + (last ? BREATH_MS : 0)));
    });
    counting.timers.push(setTimeout(decide, step * dice.length + BREATH_MS + DECIDE_MS));
    return true;
  }

  function count(die, number) {
    die.classList.add("counted");
    counting.sum.textContent = String(number);
    play("counted");
  }

  function decide(total = counting.total) {
    const { verdict, sum, timers } = counting;
    timers.forEach(clearTimeout);
    counting = null;
    sum.textContent = total;
    verdict.classList.remove("count-up");
    verdict.classList.add("decided");
    play(cued.split(":")[0]);
    document.dispatchEvent(new Event("decided"));
  }

  // ---- what has just happened ----
  let cued = live()?.dataset.cue || "";
  function cue() {
    const now = live()?.dataset.cue || "";
    if (counting && !counting.verdict.matches("#live .count-up")) decide(counting.sum.textContent); // drawn anew
    if (now === cued) return;
    cued = now;
    const kind = now.split(":")[0];
    if (kind === "turn") navigator.vibrate?.([90, 60, 90]);
    if (["stands", "fails", "out", "winner"].includes(kind) && (counting || countUp())) return;
    play(kind);
  }

  // ---- for how long somebody has been waited for, and what to do now until it was seen twice ----
  const PATIENCE_S = 20;
  let since = { key: "", at: 0 };
  function tick() {
    const clock = document.querySelector("[data-since]");
    if (!clock) return void (since.key = "");
    if (clock.dataset.since !== since.key) since = { key: clock.dataset.since, at: Date.now() };
    const seconds = Math.floor((Date.now() - since.at) / 1000);
    const words = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    clock.textContent = seconds < PATIENCE_S ? "" : words;
  }

  const TIMES = 2;
  let advised = "";
  function advise() {
    const advice = document.querySelector("[data-now]");
    if (!advice) return;
    const name = `now.${advice.dataset.now}`;
    const here = `${name}@${live().dataset.key}`;
    const seen = Number(remembered(name) || 0);
    if (advised !== here && seen < TIMES) {
      remembered(name, String(seen + 1));
      advised = here;
    }
    advice.hidden = advised !== here;
  }

  function follow() {
    document.title = live()?.dataset.title || document.title;
    cue();
    tick();
    advise();
    showChoice("sound");
  }

  document.addEventListener("pointerdown", () => counting && decide(), true);
  document.addEventListener("click", (event) => {
    awaken();
    const button = event.target.closest("[data-sound]");
    if (button) choose(button);
  });
  document.addEventListener("sound", (event) => play(event.detail));
  document.addEventListener("swapped", follow);
  setInterval(tick, 1000);
  follow();
})();
