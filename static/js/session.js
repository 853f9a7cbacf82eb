// A session: every change is numbered, kept on this device until the server has it, and sent.
// The clock is the server's; one tab saves, and another has to take over first.

"use strict";

(() => {
  const page = document.getElementById("session");
  const said = page.dataset;
  const status = document.getElementById("save-status");
  const isPreview = !said.sync; // an admin looks at it, and nothing is kept
  const state = JSON.parse(document.getElementById("session-state").textContent);
  const PAUSE = 700; // milliseconds after a key until what was typed is sent
  const BEAT = 5000; // between two words to the server
  const MOST = 400; // events in one request
  const MOST_SIGNS = 300_000; // of their texts: the server takes 2 MB
  const WARNINGS = [15, 5, 1]; // minutes
  const sections = [...page.querySelectorAll("[data-place]")];
  const placeOf = (element) => Number(element.closest("[data-place]").dataset.place);
  const sectionOf = (place) => sections.find((one) => Number(one.dataset.place) === Number(place));

  // --- What is kept on this device ---

  let queue = [];
  const numbers = { ...state.numbers };
  try {
    if (!isPreview) queue = JSON.parse(localStorage.getItem(said.key)) ?? [];
  } catch {
    // Broken or forbidden storage: what is typed is sent all the same.
  }
  function keep() {
    try {
      if (queue.length) localStorage.setItem(said.key, JSON.stringify(queue));
      else localStorage.removeItem(said.key);
    } catch {
      // As above.
    }
  }
  function push(event) {
    if (isPreview) return;
    queue.push(event);
    keep();
  }

  // --- Which tab this is: a reload goes on, a copied tab does not ---

  const held = sessionStorage.getItem(said.key);
  let tab = held ?? makeId();
  function makeId() {
    return [...crypto.getRandomValues(new Uint8Array(12))].map((one) => one.toString(16).padStart(2, "0")).join("");
  }
  // A copied tab has the same storage; the lock is the first one's as long as it lives.
  const isSole = new Promise((resolve) => {
    if (!navigator.locks) {
      if (performance.getEntriesByType("navigation")[0]?.type !== "reload") tab = makeId();
      resolve();
      return;
    }
    navigator.locks.request(`${said.key}-${tab}`, { ifAvailable: true }, (lock) => {
      if (!lock) tab = makeId();
      resolve();
      return lock ? new Promise(() => {}) : undefined;
    });
  }).then(() => sessionStorage.setItem(said.key, tab));

  // --- Typing ---

  const pending = new Map();
  function write(field) {
    clearTimeout(pending.get(field));
    pending.delete(field);
    const place = placeOf(field);
    numbers[place] = (numbers[place] ?? 0) + 1;
    push({ place, kind: field.dataset.kind, number: numbers[place], text: field.value });
  }
  page.addEventListener("input", (event) => {
    const field = event.target.closest("[data-kind]");
    if (!field) return;
    clearTimeout(pending.get(field));
    pending.set(field, setTimeout(() => { write(field); send(); }, PAUSE));
    saySaving();
    show();
  });
  // What is wrong stays said, until the server has taken something.
  function saySaving() {
    if (!isPreview && !status.classList.contains("bad")) status.textContent = said.saving;
  }
  function sayOffline() {
    status.textContent = said.offline;
    status.classList.add("bad");
  }
  function flush() {
    [...pending.keys()].forEach(write);
  }
  page.addEventListener("paste", (event) => {
    if (!event.target.closest("[data-kind]")) return;
    trace("PASTE", event.clipboardData.getData("text").length, placeOf(event.target));
  });
  page.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.insert) insert(button);
    if (button.dataset.show) open(Number(button.dataset.show));
    if (button.dataset.step) step(button);
    if ("mark" in button.dataset) mark(button);
  });
  function insert(button) {
    const field = sectionOf(placeOf(button)).querySelector("[data-kind=ANSWER]");
    let text = button.dataset.insert;
    // A command and what follows it would become one word.
    if (/^\\[A-Za-z]+$/.test(text)) text += " ";
    field.focus();
    if (!document.execCommand("insertText", false, text)) {
      field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    if (text.endsWith("()")) field.selectionStart = field.selectionEnd = field.selectionEnd - 1;
  }

  // --- Steps ---

  function step(button) {
    const section = sectionOf(placeOf(button));
    const why = section.querySelector("[data-why]");
    const kind = button.dataset.step;
    if (kind === "GAVE_UP" && !why.value.trim()) {
      tell(section, said.needsWhy);
      why.focus();
      return;
    }
    push({ place: placeOf(button), kind, text: kind === "GAVE_UP" ? why.value : "" });
    saySaving();
    section.toggleAttribute("data-seen", kind === "SEEN");
    section.toggleAttribute("data-gave-up", kind === "GAVE_UP");
    section.querySelector("[data-refusal]").hidden = true;
    show();
    send();
  }
  function mark(button) {
    const section = sectionOf(placeOf(button));
    const isMarked = section.toggleAttribute("data-marked");
    button.setAttribute("aria-pressed", isMarked);
    push({ place: placeOf(button), kind: isMarked ? "MARK" : "UNMARK" });
    saySaving();
    show();
    send();
  }
  function refuse([place, message, isSeen, hasGivenUp]) {
    const section = sectionOf(place);
    section.toggleAttribute("data-seen", isSeen);
    section.toggleAttribute("data-gave-up", hasGivenUp);
    tell(section, message);
    show();
  }
  function tell(section, message) {
    const told = section.querySelector("[data-refusal]");
    told.textContent = message;
    told.hidden = false;
  }

  // --- One problem at a time ---

  let current = 0;
  let since = performance.now();
  function count() {
    const now = performance.now();
    const shown = Math.round(now - since);
    since = now;
    if (!current || shown < 1) return;
    trace("SHOWN", shown);
    if (document.hasFocus()) trace("FOCUS", shown);
  }
  // The moment tells a trace from the next, so that one sent twice counts once.
  function trace(kind, number, place = current) {
    push({ place, kind, number, moment: Date.now() });
  }
  function open(place) {
    if (!sectionOf(place)) return;
    if (current) count();
    since = performance.now();
    current = place;
    push({ place, kind: "OPENED" });
    history.replaceState(null, "", `#problem-${place}`);
    show();
    // What is folded or hidden has no width: formulas are fitted anew.
    dispatchEvent(new Event("resize"));
    scrollTo(0, 0);
  }
  function show() {
    sections.forEach((section) => {
      const place = Number(section.dataset.place);
      const isOut = section.hasAttribute("data-seen") || section.hasAttribute("data-gave-up");
      section.hidden = place !== current;
      section.querySelector("[data-out=seen]").hidden = !section.hasAttribute("data-seen");
      section.querySelector("[data-out=gave-up]").hidden = !section.hasAttribute("data-gave-up");
      section.querySelector(".session-answer").hidden = isOut;
      const text = section.querySelector("[data-kind=ANSWER]").value.trim();
      section.querySelector("[data-step=SEEN]").hidden = isOut || Boolean(text);
      section.querySelector(".give-up").hidden = isOut;
      const button = page.querySelector(`.session-map [data-show="${place}"]`);
      button.toggleAttribute("data-answered", Boolean(text));
      button.toggleAttribute("data-marked", section.hasAttribute("data-marked"));
      button.toggleAttribute("data-out", isOut);
      if (place === current) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
  }
  addEventListener("blur", () => {
    count();
    if (current) trace("AWAY", 0);
  });

  // --- Sending ---

  let sending = false;
  let isAway = false; // another tab has the session
  async function post(address, body, type, keepalive = false) {
    const headers = { "X-CSRFToken": JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"] };
    if (type) headers["Content-Type"] = type;
    // A server that hangs is one that does not answer. What goes out with the page has no one who waits.
    const signal = keepalive ? undefined : AbortSignal.timeout(Number(said.limit));
    const response = await fetch(address, { method: "POST", headers, body, keepalive, signal, redirect: "manual" });
    if (response.type === "opaqueredirect" || response.status === 403) return { isOut: true };
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
    return { status: response.status, told: isJson ? await response.json() : null };
  }
  // What the server does not take is narrowed down to one event, and all others are sent.
  let most = MOST;
  let isNarrowing = false;
  function countToSend() {
    let signs = 0;
    const end = queue.findIndex((one, place) => place >= most || (signs += (one.text ?? "").length) > MOST_SIGNS);
    return end < 0 ? queue.length : Math.max(1, end);
  }
  function putAside() {
    const key = `${said.key}-refused`;
    try {
      const there = JSON.parse(localStorage.getItem(key)) ?? [];
      localStorage.setItem(key, JSON.stringify([...there, queue[0]]));
    } catch {
      // Storage that is broken or full keeps nothing.
    }
    queue.shift();
    keep();
  }
  async function send() {
    if (sending || isAway || isPreview) return;
    sending = true;
    isNarrowing = false;
    const events = queue.slice(0, countToSend());
    const asked = performance.now();
    try {
      const answer = await post(said.sync, JSON.stringify({ tab, events }), "application/json");
      receive(answer, events.length, asked);
    } catch (error) {
      sayOffline();
      // On a slow line so much may never arrive in time.
      if (error.name === "TimeoutError" && events.length) most = Math.ceil(events.length / 2);
    }
    sending = false;
    if (queue.length && !isAway && (isNarrowing || !status.classList.contains("bad"))) send();
  }
  function receive({ isOut, status: code, told }, sent, asked) {
    const isTaken = code === 200 && told;
    status.classList.toggle("bad", !isTaken);
    if (isOut) status.textContent = said.signedOut;
    else if (code === 409 && told) leave(told, asked);
    else if (code === 400 || code === 413) {
      status.textContent = said.refused;
      isNarrowing = sent > 1 || Boolean(sent && told?.message);
      if (sent > 1) most = Math.ceil(sent / 2);
      else if (isNarrowing) putAside(); // our own server has read this one event
    }
    else if (!isTaken) status.textContent = (code === 429 && told?.message) || said.offline; // it stays, and is sent again
    if (!isTaken) return;
    const taken = queue.splice(0, sent);
    if (told.not_kept.length) renumber(taken, told);
    most = MOST;
    keep();
    status.textContent = queue.length || pending.size ? said.saving : said.saved;
    setClock(told, asked);
    told.refused.forEach(refuse);
    if (told.has_ended) end(told.is_handed_in);
  }
  // Another device had a number already: its box is sent again from there on, in the order of
  // typing, so that what was typed last is the last.
  const isSave = (one) => Boolean(one.number) && "text" in one;
  const boxOf = (one) => `${one.place} ${one.kind}`;
  function renumber(sent, { not_kept: notKept, newest }) {
    const since = new Map();
    notKept.forEach(({ event }) => since.set(boxOf(sent[event]), Math.min(event, since.get(boxOf(sent[event])) ?? event)));
    queue = [...sent.filter((one, at) => at >= since.get(boxOf(one))), ...queue];
    for (const place of new Set(notKept.map((one) => one.place))) {
      numbers[place] = newest[place];
      queue.filter((one) => isSave(one) && one.place === place).forEach((one) => (one.number = ++numbers[place]));
    }
  }
  function setClock(told, asked) {
    // Half of the way there and back.
    const now = told.now + (performance.now() - asked) / 2000;
    clock = { ends: told.ends_at, offset: now - performance.now() / 1000 };
  }
  function leave(told, asked) {
    isAway = true;
    setClock(told, asked);
    document.getElementById("other-tab").hidden = false;
    page.querySelectorAll("textarea").forEach((one) => (one.readOnly = true));
    status.textContent = "";
  }
  document.getElementById("go-on-here").addEventListener("click", async () => {
    flush();
    const answer = await post(said.takeOver, new URLSearchParams({ tab })).catch(() => null);
    if (!answer) sayOffline();
    if (!answer?.told) return;
    const unsent = new Map(queue.filter(isSave).map((one) => [boxOf(one), one.text]));
    queue = queue.filter((one) => !isSave(one));
    isAway = false;
    document.getElementById("other-tab").hidden = true;
    page.querySelectorAll("textarea").forEach((one) => (one.readOnly = false));
    for (const [place, texts] of Object.entries(answer.told.texts)) {
      numbers[place] = texts.number;
      for (const kind of ["ANSWER", "NOTES"]) {
        const field = sectionOf(place).querySelector(`[data-kind=${kind}]`);
        const there = texts[kind.toLowerCase()];
        const here = unsent.get(`${place} ${kind}`);
        if (here === undefined || here === there) {
          field.value = there;
        } else if (kind === "NOTES") {
          field.value = there ? `${there}\n\n${here}` : here;
          write(field);
        } else {
          field.value = here;
          write(field);
          offer(field, there);
        }
      }
    }
    show();
    send();
  });
  // What was saved elsewhere stays to be had with one click.
  function offer(field, there) {
    if (!there) return;
    const told = sectionOf(placeOf(field)).querySelector("[data-refusal]");
    const button = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: there });
    button.addEventListener("click", () => {
      field.value = there;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      told.hidden = true;
    });
    told.replaceChildren(page.dataset.elsewhere, " ", button);
    told.hidden = false;
  }

  // --- The clock ---

  let clock = null;
  let warned = null; // the warning that was due last; before the first look none is late
  function tick() {
    if (isPreview) document.getElementById("clock").textContent = said.left.replace("{minutes}", said.minutes);
    if (!clock) return;
    const left = Math.max(0, clock.ends - (performance.now() / 1000 + clock.offset));
    const minutes = Math.ceil(left / 60);
    document.getElementById("clock").textContent =
      left > 60 ? said.left.replace("{minutes}", minutes) : said.seconds.replace("{seconds}", Math.ceil(left));
    const due = WARNINGS.filter((one) => left <= one * 60).at(-1) ?? Infinity;
    const warning = document.getElementById("warning");
    if (warned !== null && due < warned && left > 0) {
      warning.textContent = minutes === 1 ? said.lastWarning : said.warning.replace("{minutes}", minutes);
      warning.hidden = false;
    } else if (due > warned) {
      warning.hidden = true; // it was extended
    }
    warned = due;
    if (left === 0 && !page.hasAttribute("data-over")) {
      page.setAttribute("data-over", "");
      flush();
      send();
    } else if (left > 0) {
      page.removeAttribute("data-over");
    }
  }
  function end(isHandedIn) {
    const warning = document.getElementById("warning");
    warning.textContent = said.ended;
    warning.hidden = false;
    page.querySelectorAll("textarea").forEach((one) => (one.readOnly = true));
    if (isHandedIn && queue.length === 0) location.assign(location.pathname);
  }

  document.getElementById("hand-in").addEventListener("click", async (event) => {
    event.preventDefault();
    if (isPreview) return;
    flush();
    do {
      while (sending) await new Promise((resolve) => setTimeout(resolve, 50));
      await send();
    } while (sending || (queue.length && !isAway && !status.classList.contains("bad")));
    if (!queue.length && !isAway) location.assign(event.target.href);
  });
  // What was typed last goes out with the page: its person may come back with another device, or not.
  addEventListener("pagehide", () => {
    flush();
    count();
    if (isAway || isPreview || !queue.length) return;
    // More than a browser sends after a page stays on this device; so does what does not arrive.
    post(said.sync, JSON.stringify({ tab, events: queue.slice(0, MOST) }), "application/json", true).catch(() => {});
  });
  addEventListener("online", send);
  setInterval(tick, 500);
  setInterval(() => { count(); send(); }, BEAT);

  // What stands there is read as it stands, one after the other: that is no change of it.
  async function readAll() {
    for (const section of sections) {
      const field = section.querySelector("[data-kind=ANSWER]");
      const asked = field.closest("[hx-post]");
      if (!field.value.trim()) continue;
      await htmx.ajax("POST", asked.getAttribute("hx-post"), { source: asked, target: asked.getAttribute("hx-target") });
    }
  }

  // What this device kept and the server lacks is newer than what the page shows.
  queue.filter(isSave).forEach((one) => {
    const field = sectionOf(one.place)?.querySelector(`[data-kind=${one.kind}]`);
    if (field) field.value = one.text;
    numbers[one.place] = Math.max(numbers[one.place] ?? 0, one.number);
  });
  const asked = Number(location.hash.replace("#problem-", ""));
  isSole.then(() => {
    open(sectionOf(asked) ? asked : Number(sections[0].dataset.place));
    send();
    readAll();
  });
})();
