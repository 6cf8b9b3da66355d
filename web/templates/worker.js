// Shows a page of its own when the box cannot be reached. Keeps nothing of the table: its state is never old.
"use strict";
const PAGE = "/unreachable";
const PARTS = [{{ asset('app.css')|tojson }}, {{ asset('ask.js')|tojson }}, {{ asset('unreachable.js')|tojson }}, {{ asset('icon.svg')|tojson }}];
const PLACE = {{ ("unreachable " ~ asset('app.css') ~ asset('ask.js') ~ asset('unreachable.js'))|tojson }};

// What the page looks like now, its language and theme. A worker of its own for each would replace the last one
// whenever somebody changes them: in Chromium every tenth time or so the page then never came.
async function keep(look) {
  const name = `${PLACE} ${look}`;
  if (await caches.match(PAGE, { cacheName: name })) return;
  await (await caches.open(name)).addAll([PAGE, ...PARTS]);
  const others = (await caches.keys()).filter((one) => one !== name);
  await Promise.all(others.map((one) => caches.delete(one)));
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("message", (event) => event.waitUntil(keep(event.data).catch(() => {})));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname + new URL(request.url).search;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(PAGE)));
  else if (PARTS.includes(path)) event.respondWith(fetch(request).catch(() => caches.match(request)));
});
