// Reads the verdict, a question and the winner aloud where somebody has switched it on.
"use strict";
(() => {
  const SPOKEN = ".verdict[data-say], #question[data-say], .winner[data-say]";

  const isOn = () => remembered("voice") === "on";
  const words = () => [...document.querySelectorAll(SPOKEN)].map((one) => one.dataset.say).join(" ");

  function say(text) {
    if (!isOn() || !window.speechSynthesis) return;
    speechSynthesis.cancel(); // what was undone is not read on
    if (!text) return;
    const speech = new SpeechSynthesisUtterance(text.replace(/\p{Extended_Pictographic}/gu, "")); // names without their emoji
    speech.lang = document.documentElement.lang;
    speechSynthesis.speak(speech);
  }

  let spoken = words();
  function follow() {
    showChoice("voice");
    if (document.hidden || words() === spoken || document.querySelector(".count-up")) return; // seen and counted first
    spoken = words();
    say(spoken);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-voice]");
    if (!button) return;
    remembered("voice", button.dataset.voice);
    showChoice("voice");
    if (button.dataset.voice === "on") say(button.textContent);
    else window.speechSynthesis?.cancel();
  });
  for (const kind of ["swapped", "decided", "visibilitychange"]) document.addEventListener(kind, follow);
  showChoice("voice");
})();
