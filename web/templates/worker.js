// Shows a page of its own when the box cannot be reached. Keeps nothing of the table: its state is never old.
"use strict";
const PAGE = "/unreachable";
const PARTS = [{{ asset('app.css')|tojson }}, {{ asset('ask.js')|tojson }}, {{ asset('unreachable.js')|tojson }}, {{ asset('icon.svg')|tojson }}];
const KEPT = {{ ("unreachable " ~ lang ~ " " ~ theme ~ " " ~ asset('app.css') ~ asset('ask.js') ~ asset('unreachable.js'))|tojson }};

self.addEventListener("install", (event) => {
  const kept = caches.open(KEPT).then((store) => store.addAll([PAGE, ...PARTS]));
  event.waitUntil(kept.then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((one) => one !== KEPT).map((one) => caches.delete(one))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname + new URL(request.url).search;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(PAGE)));
  else if (PARTS.includes(path)) event.respondWith(fetch(request).catch(() => caches.match(request)));
});
