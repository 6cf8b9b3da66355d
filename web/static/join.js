// Shows the next join code when this one runs out.
"use strict";
setTimeout(() => location.reload(), 1000 * Number(document.querySelector("[data-left-s]").dataset.leftS) + 200);
