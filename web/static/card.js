// The result as a picture to send home: drawn here from what the page shows, shared by the phone's own sheet, else saved.
"use strict";
(() => {
  const [WIDTH, HEIGHT, EDGE] = [1080, 1350, 80];
  const colour = (part, name) => getComputedStyle(part).getPropertyValue(name).trim();

  // The sentence in as many lines as it needs; gives where the next thing may stand.
  function written(pen, text, top, size, weight) {
    pen.font = `${weight} ${size}px system-ui, sans-serif`;
    let [line, at] = ["", top];
    for (const word of text.trim().split(/\s+/)) {
      if (line && pen.measureText(`${line} ${word}`).width > WIDTH - 2 * EDGE) {
        pen.fillText(line, WIDTH / 2, at);
        [line, at] = ["", at + 1.25 * size];
      }
      line = line ? `${line} ${word}` : word;
    }
    pen.fillText(line, WIDTH / 2, at);
    return at + 1.25 * size;
  }

  // How the dice went: the lines of the page's own plot, which is 340 wide.
  function plotted(pen, plot, top) {
    const [scale, tall] = [(WIDTH - 2 * EDGE) / 340, 1.8];
    pen.lineWidth = 10;
    pen.lineJoin = "round";
    pen.font = "600 36px system-ui, sans-serif";
    const names = [...(plot?.parentElement.querySelectorAll(".keys bdi") ?? [])].map((one) => one.textContent);
    const lines = [...(plot?.querySelectorAll("g polyline") ?? [])];
    for (const [n, line] of lines.entries()) {
      pen.strokeStyle = pen.fillStyle = getComputedStyle(line).stroke;
      pen.setLineDash((getComputedStyle(line).strokeDasharray.match(/[\d.]+/g) ?? []).map((long) => long * scale));
      const [wide, middle] = [(WIDTH - 2 * EDGE) / lines.length - 10, EDGE + (n + 0.5) * ((WIDTH - 2 * EDGE) / lines.length)];
      pen.fillText(names[n] ?? "", middle, top, wide);
      pen.beginPath();
      pen.moveTo(middle - wide / 2, top + 18); // which line is whose, by its dashes too
      pen.lineTo(middle + wide / 2, top + 18);
      pen.stroke();
      pen.beginPath();
      for (const point of line.points) pen.lineTo(EDGE + point.x * scale, top + 24 + point.y * tall);
      pen.stroke();
    }
    pen.setLineDash([]);
    pen.fillStyle = colour(document.body, "--ink");
    return plot ? top + 24 + 200 * tall : top;
  }

  // The dice under the boldest bid: all pictures of its round in one row, as large as there is room.
  async function pictured(pen, winner, top) {
    const number = winner.querySelector("[data-round]")?.dataset.round;
    const shots = [...document.querySelectorAll(`.past[value="${number}"] .thumb img`)];
    const wide = (WIDTH - 2 * EDGE) / shots.length;
    for (const [n, shot] of shots.entries()) {
      const picture = Object.assign(new Image(), { src: shot.src });
      if (await picture.decode().then(() => false, () => true)) continue; // it was deleted
      const scale = Math.min((wide - 10) / picture.width, (HEIGHT - 120 - top) / picture.height);
      const [width, height] = [scale * picture.width, scale * picture.height];
      pen.drawImage(picture, EDGE + (n + 0.5) * wide - width / 2, top, width, height);
    }
  }

  async function drawn(winner) {
    const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
    const pen = canvas.getContext("2d");
    pen.fillStyle = colour(document.body, "--bg");
    pen.fillRect(0, 0, WIDTH, HEIGHT);
    pen.fillStyle = colour(winner, "--die") || "#c3342b";
    pen.fillRect(0, 0, WIDTH, 36);
    pen.fillStyle = colour(document.body, "--ink");
    pen.textAlign = "center";
    let at = written(pen, winner.querySelector(".sentence").textContent, 190, 100, 800);
    at = plotted(pen, document.querySelector("svg.plot"), at);
    for (const one of winner.querySelectorAll(".highlights li")) at = written(pen, one.textContent, at + 24, 40, 500);
    await pictured(pen, winner, at);
    const day = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "long" }).format(new Date());
    written(pen, `Dudo · ${day}`, HEIGHT - 50, 34, 500);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }

  async function share(event) {
    const button = event.target.closest("button[data-card]");
    const winner = document.querySelector(".winner");
    if (!button || !winner) return;
    const file = new File([await drawn(winner)], "dudo.png", { type: "image/png" });
    if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file] }).catch(() => {}); // somebody thought better of it
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: file.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  document.addEventListener("click", share);
})();
