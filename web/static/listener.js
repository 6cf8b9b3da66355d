// Asks the box on the page's behalf, one question at a time, so that waiting for news never keeps the page busy.
"use strict";
let asking = null;
self.onmessage = async ({ data }) => {
  if (asking) asking.abort();
  if (!data.path) return;
  const mine = (asking = new AbortController());
  const limit = setTimeout(() => mine.abort(), data.limit);
  try {
    const answer = await fetch(data.path, { signal: mine.signal, cache: "no-store" });
    const received = { ok: answer.ok, status: answer.status, html: await answer.text() };
    self.postMessage({ id: data.id, ...received, start: answer.headers.get("X-Start") });
  } catch {
    self.postMessage({ id: data.id, ok: false, status: 0 });
  } finally {
    clearTimeout(limit);
  }
};
