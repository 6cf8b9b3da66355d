// Reads the verdict, a question and the winner aloud on a device where somebody has switched it on.
"use strict";
(() => {
  const SPOKEN = ".verdict[data-say], #question[data-say], .winner[data-say]";

  const isOn = () => remembered("voice") === "on";
  const words = () => [...document.querySelectorAll(SPOKEN)].map((one) => one.dataset.say).join(" ");

  function say(text) {
    if (!isOn() || document.hidden || !window.speechSynthesis) return;
    const speech = new SpeechSynthesisUtterance(text.replace(/\p{Extended_Pictographic}/gu, "")); // names without their emoji
    speech.lang = document.documentElement.lang;
    speechSynthesis.cancel();
    speechSynthesis.speak(speech);
  }

  let spoken = words();
  function follow() {
    showChoice("voice");
    if (words() === spoken || document.querySelector(".count-up")) return; // the dice are counted first
    spoken = words();
    if (spoken) say(spoken);
    else window.speechSynthesis?.cancel(); // what was undone is not read on
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-voice]");
    if (!button) return;
    remembered("voice", button.dataset.voice);
    showChoice("voice");
    if (button.dataset.voice === "on") say(button.textContent);
    else window.speechSynthesis?.cancel();
  });
  document.addEventListener("swapped", follow);
  document.addEventListener("decided", follow);
  showChoice("voice");
})();
