// After a session: changes that this device kept, and that the server never had, are sent now. They
// came too late to count, but they are not lost: who runs the study sees them.

"use strict";

(async () => {
  const page = document.getElementById("session-left");
  const said = page.dataset;
  const MOST = 400; // events in one request
  let queue = [];
  try {
    queue = JSON.parse(localStorage.getItem(said.key)) ?? [];
  } catch {
    return; // broken or forbidden storage holds nothing
  }
  const isSave = (one) => Boolean(one.number) && "text" in one;
  const changes = queue.filter(isSave);
  if (!changes.length) {
    localStorage.removeItem(said.key);
    return;
  }

  async function post(address, body, type) {
    const headers = { "X-CSRFToken": JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"] };
    if (type) headers["Content-Type"] = type;
    const signal = AbortSignal.timeout(Number(said.limit));
    return fetch(address, { method: "POST", headers, body, signal, redirect: "manual" });
  }
  // Another device may have gone on, with the same numbers: these follow what is there.
  const tab = [...crypto.getRandomValues(new Uint8Array(12))].map((one) => one.toString(16).padStart(2, "0")).join("");
  function tell(message) {
    page.querySelector("p").textContent = message;
    page.hidden = false;
  }
  try {
    const taken = await post(said.takeOver, new URLSearchParams({ tab }));
    if (!taken.ok) throw new Error(String(taken.status));
    const { texts } = await taken.json();
    const numbers = Object.fromEntries(Object.entries(texts).map(([place, one]) => [place, one.number]));
    // Of a box that was saved in time as it stood last nothing is late.
    const last = new Map(changes.map((one) => [`${one.place} ${one.kind}`, one.text]));
    const late = changes.filter(({ place, kind }) => texts[place] && texts[place][kind.toLowerCase()] !== last.get(`${place} ${kind}`));
    const events = late.map((one) => ({ ...one, number: (numbers[one.place] += 1) }));
    for (let start = 0; start < events.length; start += MOST) {
      const body = JSON.stringify({ tab, events: events.slice(start, start + MOST) });
      const sent = await post(said.sync, body, "application/json");
      // A device that saves at the same time has these numbers: the next visit gives others.
      if (!sent.ok || (await sent.json()).not_kept.length) throw new Error(String(sent.status));
    }
    localStorage.removeItem(said.key);
    if (events.length) tell(said.late);
  } catch {
    tell(said.kept);
  }
})();
