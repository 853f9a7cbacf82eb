// What each page does: it says times as its reader does, tells of a lost connection, and reads what
// was typed before.

"use strict";

// --- Time ---
// Write times in the reader's own zone. Without this they stand in UTC, and say so.

(() => {
  const DAY = { day: "numeric", month: "short", year: "numeric" };
  const MINUTE = { ...DAY, hour: "2-digit", minute: "2-digit" };

  // 20 Nov 2026, which nobody takes for another day.
  const LANGUAGE = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;

  function localise(element) {
    const at = new Date(element.dateTime);
    if (Number.isNaN(at.valueOf())) return;
    // A span of time such as "3 days": only its title says when.
    if (element.hasAttribute("data-since")) {
      element.title = at.toLocaleString(LANGUAGE, MINUTE);
      return;
    }
    if (element.hasAttribute("data-clock")) {
      element.textContent = at.toLocaleTimeString(LANGUAGE);
      element.title = at.toLocaleString(LANGUAGE, MINUTE);
      return;
    }
    const shown = element.hasAttribute("data-day") ? DAY : MINUTE;
    element.textContent = at.toLocaleString(LANGUAGE, shown);
    element.title = at.toISOString();
  }

  htmx.onLoad((root) => {
    if (root.matches?.("time[datetime]")) localise(root);
    root.querySelectorAll("time[datetime]").forEach(localise);
  });
})();

// --- Copying ---
// A button beside a text that is to be given to somebody; without a clipboard it is marked instead.

htmx.onLoad((root) => {
  for (const button of root.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const field = button.previousElementSibling;
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
      } catch {
        return;
      }
      button.textContent = button.dataset.done;
    });
  }
});

// --- Menus ---
// One is open at a time, and goes as soon as something else is meant. Of the rooms, which are wider
// than a phone, the current one is in sight.

(() => {
  const open = () => [...document.querySelectorAll(".menu[open]")];

  document.addEventListener("click", ({ target }) => {
    for (const menu of open()) if (!menu.contains(target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of open()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  const rooms = document.querySelector(".site-nav");
  const current = rooms?.querySelector("[aria-current]");
  if (current) rooms.scrollLeft = current.offsetLeft - rooms.offsetLeft - 16;
})();

// --- Connection ---
// Say so when a part of the page could not be refreshed; what was typed stays. Once the server
// answers again, the notice goes and the part is refreshed.

(() => {
  const notice = document.getElementById("connection");

  function tell(message) {
    notice.textContent = message;
    notice.hidden = false;
  }

  const PAUSE = 2000; // milliseconds between two looks whether the server answers
  const unsent = new Map(); // each part, with what it asked for
  function askLater({ requestConfig, target }, pause) {
    const { elt, path, verb } = requestConfig;
    const isLost = !unsent.size;
    unsent.set(elt, { path, verb, target });
    if (isLost) setTimeout(look, pause);
  }
  document.body.addEventListener("htmx:sendError", ({ detail }) => {
    tell(notice.dataset.unreachable);
    askLater(detail, PAUSE);
  });
  async function look() {
    // One that hangs does not answer.
    const signal = AbortSignal.timeout(Number(notice.dataset.limit));
    const answers = await fetch(notice.dataset.look, { method: "HEAD", cache: "no-store", signal }).then((one) => one.ok, () => false);
    if (!answers) {
      setTimeout(look, PAUSE);
      return;
    }
    notice.hidden = true;
    const parts = [...unsent];
    unsent.clear();
    parts.forEach(([elt, { path, verb, target }]) => {
      // What somebody pressed is not sent again: it may have arrived, and they can press again.
      if (elt.isConnected && elt.matches("[hx-get], [hx-trigger]")) htmx.ajax(verb, path, { source: elt, target });
    });
  }
  let unswapped = ""; // what the server says of a form that it does not take now
  document.body.addEventListener("htmx:responseError", ({ detail }) => {
    const seconds = Number(detail.xhr.getResponseHeader("Retry-After"));
    if (detail.xhr.status === 503 && seconds) {
      // Ours says in a sentence what is away; a proxy's is a page.
      const said = detail.xhr.responseText.trim();
      tell(said && !said.startsWith("<") ? said : notice.dataset.failed);
      askLater(detail, 1000 * seconds);
    } else {
      tell(unswapped || notice.dataset.failed);
    }
    unswapped = "";
  });
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, pathInfo } = event.detail;
    const asked = new URL(pathInfo.finalRequestPath, location.href).pathname;
    const answered = new URL(xhr.responseURL || location.href, location.href).pathname;
    // Answered by another page: signed out, and led to the one for signing in.
    if (asked !== answered) {
      event.detail.shouldSwap = false;
      tell(notice.dataset.signedOut);
    } else if (!event.detail.isError) {
      notice.hidden = true;
    }
  });
  // What fetches itself anew waits while somebody works in it: what they typed would be gone.
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    const part = event.target;
    if (!part.hasAttribute("data-waits")) return;
    if (part.contains(document.activeElement) || part.querySelector("details[open]")) event.preventDefault();
  });
  // Too much of one person's is under way: what the server says of it is shown, then asked again.
  document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (![413, 429].includes(detail.xhr.status)) return;
    // A form that somebody sent stays as it is: they send it again.
    if (detail.xhr.status === 413 || detail.requestConfig.elt.matches("form:not([hx-trigger]), button")) {
      detail.shouldSwap = false;
      unswapped = new DOMParser().parseFromString(detail.xhr.responseText, "text/html").body.textContent.trim();
      return;
    }
    detail.shouldSwap = true;
    detail.isError = false;
    const { elt, path, verb } = detail.requestConfig;
    const seconds = Number(detail.xhr.getResponseHeader("Retry-After")) || 60;
    setTimeout(() => {
      if (elt.isConnected) htmx.ajax(verb, path, { source: elt, target: detail.target });
    }, 1000 * seconds);
  });
})();

// --- Typed ---
// What was typed before the scripts were there, or brought back by the browser, is read as if it
// was typed now: a preview or a save may wait for it.

window.addEventListener("load", () => {
  document.querySelectorAll("main textarea, main input:not([type])").forEach((text) => {
    if (text.value === text.defaultValue) return;
    text.dispatchEvent(new Event("input", { bubbles: true }));
  });
});

// A button writes an answer for its reader; what stood there comes back with the browser's undo.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-write]");
  if (!button) return;
  const answer = document.querySelector("form [name=answer], form [name=response]");
  answer.focus();
  answer.select();
  if (!document.execCommand("insertText", false, button.dataset.write)) {
    answer.value = button.dataset.write;
    answer.dispatchEvent(new Event("input", { bubbles: true }));
  }
});
