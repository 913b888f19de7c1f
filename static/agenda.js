// The agenda beyond links and forms: cards are dragged, lengthened, placed with two clicks or by keys, and moved in a
// sheet; other people's changes appear by themselves. A move is sent with the hidden form: where the card was, and
// where it goes. Everything also works without this script.
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const one = (selector, within = document) => within.querySelector(selector);
  const page = () => one(".agenda-page[data-agenda]");
  if (!page()) return;
  one(".agenda-days [aria-current]")?.scrollIntoView({block: "nearest", inline: "nearest"});
  const body = () => one(".agenda-body"), slots = () => one("[data-slots]"), scroller = () => one("[data-scroller]");
  const grid = () => slots() && slots().offsetParent && getComputedStyle(slots()).display === "grid" ? slots() : null;
  const bar = () => one("[data-say]");
  const five = 5 * 60 * 1000;
  const title = (card) => one("h3 a", card).textContent.trim();
  const link = (card) => one("h3 a", card);
  // A card refers to its room by its index in the page's list.
  const stands = (card) => card.dataset.was.replace(/^\d+(?= )/, (n) => page().dataset.rooms.split(" ")[n]);
  const place = (card) => {
    const [room, start, end] = stands(card).split(" ");
    return {room, start: parseInt(start), end: parseInt(end)};
  };
  const text = ({room, start, minutes}) => start === null ? "- - -"
    : room + " " + start + " " + (start + minutes * 60000);

  // Each card gets a button, for lists and for fingers.
  const moveOf = (card) => page().dataset.agenda + "/move/" + card.id;
  function dress(within) {
    for (const card of all(".slot", within)) {
      const move = document.createElement("a");
      move.className = "button small move";
      move.href = moveOf(card) + "?from=" + page().dataset.day + "&view=" + (body()?.dataset.view ?? "list");
      move.setAttribute("aria-label", "Move " + title(card));
      move.textContent = "Move";
      card.append(move);
    }
  }
  dress(document);

  // The line at the foot says what is being done, and the result.
  let fade = 0;
  function say(...parts) {
    clearTimeout(fade);
    const line = bar();
    line.replaceChildren(...parts);
    line.hidden = parts.length === 0;
  }
  const words = (text, className = "") => { const p = document.createElement("p"); p.textContent = text; p.className = className; return p; };
  function button(name, does, className = "button small") {
    const b = document.createElement("button");
    b.type = "button"; b.className = className; b.textContent = name;
    b.addEventListener("click", does);
    return b;
  }

  // Geometry of the grid: columns are measured by their heads, rows by their height.
  const columns = () => all("[data-column]").map((head) => ({head, id: head.dataset.column, name: head.dataset.name, box: head.getBoundingClientRect()}));
  const rowHeight = () => slots().clientHeight / Number(body().dataset.rows);
  const from = () => Number(body().dataset.from);
  const step = () => Number(body().dataset.step);
  const byRooms = () => body().dataset.view === "rooms";
  function columnAt(x) {
    const cols = columns();
    return cols.find((c) => x >= c.box.left && x < c.box.right) ?? (x < cols[0]?.box.left ? cols[0] : cols.at(-1));
  }
  const columnOf = (card) => columnAt((({left, right}) => (left + right) / 2)(card.getBoundingClientRect()));
  function timeAt(y, snap = step()) {
    const rows = (y - slots().getBoundingClientRect().top) / rowHeight(), each = snap / 5;
    const row = Math.max(0, Math.min(Number(body().dataset.rows) - 1, Math.floor(rows / each + 1e-6) * each));
    return from() + row * five;
  }
  const zone = (ms) => { // formatted as the times beside the rows
    const row = (ms - from()) / five;
    const mark = all(".times span").map((s) => [Number(/rh(\d+)/.exec(s.className)[1]) * 12 + Number(/rm(\d+)/.exec(s.className)[1]), s.textContent])
      .filter(([at]) => at <= row).at(-1);
    if (!mark) return "";
    const [, hours, minutes, label] = /(\d+):(\d+)(.*)/.exec(mark[1]);
    const total = Number(hours) * 60 + Number(minutes) + Math.round((row - mark[0]) * 5);
    return String(Math.floor(total / 60) % 24).padStart(2, "0") + ":" + String(total % 60).padStart(2, "0") + label;
  };

  // Returns the conflict of a card at a place, as far as this page knows; the server checks again.
  function meets(card, at) {
    const end = at.start + at.minutes * 60000, people = (one(".by", card)?.textContent ?? "").split(", ").filter(Boolean);
    for (const other of all(".slot", slots())) {
      if (other.id === card.id || other.classList.contains("ghost")) continue;
      const there = place(other), until = there.end || there.start + other.dataset.minutes * 60000;
      if (!(there.start < end && at.start < until)) continue;
      if (at.room !== "-" && there.room === at.room) return "It overlaps “" + title(other) + "”.";
      const both = (one(".by", other)?.textContent ?? "").split(", ").find((name) => people.includes(name));
      if (both) return both + " is also in “" + title(other) + "” then.";
    }
    return "";
  }
  const where = (at) => (at.name ? at.name + ", " : "") + zone(at.start) + " to " + zone(at.start + at.minutes * 60000);

  // The card that is being moved, and the place where it would go.
  let moving = null;
  const drop = document.createElement("div");
  drop.className = "agenda-drop";
  drop.setAttribute("aria-hidden", "true");

  function outline() {
    const at = moving.at;
    one("[data-on-shelf]")?.classList.toggle("over", at?.start === null);
    if (!at || at.start === null || !grid()) { drop.remove(); }
    else {
      const row = Math.round((at.start - from()) / five), rows = Math.max(1, Math.round(at.minutes / 5));
      drop.className = "agenda-drop rh" + Math.floor(row / 12) + " rm" + row % 12 + " " + at.column.head.className;
      drop.style.gridRow = row + 1 + " / span " + Math.min(rows, Number(body().dataset.rows) - row);
      drop.textContent = zone(at.start);
      if (drop.parentNode !== slots()) slots().append(drop);
    }
    const conflict = at && at.start !== null ? meets(moving.card, at) : "";
    const line = document.createElement("p"), strong = document.createElement("strong");
    strong.textContent = moving.size ? "Length" : "Moving";
    line.append(strong, !at ? " “" + title(moving.card) + "”. Click where it shall begin." : at.start === null ? " off the agenda: not placed." : " to " + where(at) + ". ");
    const parts = [line];
    if (at && at.start !== null) parts.push(words(conflict || "No conflict there.", conflict ? "warn" : "muted"));
    if (moving.how !== "pointer") {
      const keys = document.createElement("span");
      keys.className = "keys meta on-desk";
      for (const k of ["←", "↑", "↓", "→"]) { const kbd = document.createElement("kbd"); kbd.textContent = k; keys.append(kbd); }
      keys.append(" move ");
      const kbd = document.createElement("kbd"); kbd.textContent = "Enter"; keys.append(kbd, " place");
      const open = document.createElement("a");
      open.className = "button small"; open.href = link(moving.card).href; open.textContent = "Open";
      const ask = button("Move…", () => { const card = moving.card; stop(); sheet(card); });
      const off = moving.card.closest("[data-slots]") ? [button("Take off", () => { moving.at = {start: null}; put(); })] : [];
      parts.push(keys, open, ask, ...off, button("Cancel", cancel));
    }
    if (moving.how !== "pointer" || !moving.said || Date.now() - moving.said > 250) { say(...parts); moving.said = Date.now(); }
  }
  function pick(card, how, size = false) {
    stop();
    const was = place(card), placed = !Number.isNaN(was.start);
    moving = {card, how, size, was, minutes: placed && was.end ? (was.end - was.start) / 60000 : Number(card.dataset.minutes), at: null};
    card.classList.add("origin");
    if (placed && grid() && how === "keys") moving.at = {room: was.room, start: was.start, minutes: moving.minutes, column: columnOf(card), name: columnOf(card).name};
    else if (how === "keys" && grid()) { const c = columns()[0]; moving.at = {room: byRooms() ? c.id || "-" : was.room, start: Math.max(from(), timeAt(scroller().getBoundingClientRect().top + 60)), minutes: moving.minutes, column: c, name: c.name}; }
    if (how === "pointer") document.documentElement.classList.add("moving");
    outline();
  }
  function stop() {
    if (!moving) return;
    moving.card.classList.remove("origin");
    moving.ghost?.remove();
    drop.remove();
    one("[data-on-shelf]")?.classList.remove("over");
    document.documentElement.classList.remove("moving", "sizing");
    moving = null;
    say();
  }
  function cancel() {
    const card = moving?.card;
    stop();
    if (card) { link(card).focus({preventScroll: true}); say(words("“" + title(card) + "” stays where it was.")); fade = setTimeout(() => say(), 4000); }
  }
  // In the view of rooms the column decides on the room; in the view of tracks a session keeps its room.
  function aim(x, y, dy = 0) {
    const shelf = one(".agenda-shelf")?.getBoundingClientRect();
    if (!moving.size && shelf && y < shelf.bottom && y > shelf.top && slots().contains(moving.card)) { moving.at = {start: null}; outline(); return; }
    const box = scroller().getBoundingClientRect();
    if (x < box.left || x > box.right || y < box.top - 20 || y > box.bottom + 20) { moving.at = null; outline(); return; }
    if (moving.size) {
      const each = Math.min(step(), 15) * 60000, until = timeAt(y, 5) + five;
      const minutes = Math.max(5, Math.round((until - moving.was.start) / each) * each / 60000);
      moving.at = {room: moving.was.room, start: moving.was.start, minutes, column: columnOf(moving.card), name: columnOf(moving.card).name};
    } else {
      const column = byRooms() || !slots().contains(moving.card) ? columnAt(x) : columnOf(moving.card);
      moving.at = {room: byRooms() ? column.id || "-" : moving.was.room, start: timeAt(y - dy), minutes: moving.minutes, column, name: column.name};
    }
    outline();
  }

  // Sends a move and shows the result. Until the answer the card stays at its new place, and the Undo of an earlier move
  // is hidden, because it would come too late.
  let sending = 0;
  async function send(action, fields, card) {
    sending++;
    say();
    card?.classList.add("origin");
    try {
      const answer = await fetch(action, {method: "POST", body: fields, headers: {"HX-Request": "true"}, credentials: "same-origin"});
      const made = new DOMParser().parseFromString(await answer.text(), "text/html");
      const told = made.querySelector("[data-answer]");
      if (told) say(...told.childNodes); else if (answer.redirected || answer.status === 401) location.reload();
      else say(words("Nothing was moved. " + (made.querySelector("main h1 + p, main p")?.textContent.trim() ?? "The server did not take it."), "warn"));
      if (answer.ok) fade = setTimeout(() => { if (!bar().contains(document.activeElement)) say(); }, 12000);
    } catch {
      say(words("The server cannot be reached, so nothing was moved.", "warn"), button("Close", () => say()));
    } finally {
      sending--;
      card?.classList.remove("origin");
    }
    await refresh();
  }
  function put() {
    const {card, at} = moving, was = moving.was;
    if (!at) { cancel(); return; }
    const same = at.start === was.start && at.room === was.room && (was.end ? was.start + at.minutes * 60000 === was.end : false);
    if (same) { cancel(); return; }
    const fields = new FormData(one("[data-mover]"));
    fields.set("to", text(at)); fields.set("was", stands(card));
    const next = moving.at, id = card.id;
    stop();
    if (next.start !== null && grid() && slots().contains(card)) { // move it now, before the answer
      const row = Math.round((next.start - from()) / five);
      card.className = card.className.replace(/\b(rh|rm|lh|lm|ct|cu)\d+\b/g, "").replace(/\bon\d\b/, "") + " " + next.column.head.className;
      card.classList.add("rh" + Math.floor(row / 12), "rm" + row % 12, "lh" + Math.floor(next.minutes / 60), "lm" + Math.floor(next.minutes % 60 / 5));
    }
    focusOn = id;
    send(moveOf(card), new URLSearchParams(fields), card);
  }
  let focusOn = "";

  // Undo, and the choice after a stale move, are forms within the line; they are sent in the same way.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.closest("[data-say]")) return;
    event.preventDefault();
    const fields = new URLSearchParams(new FormData(form));
    send(form.action, fields);
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-say] [data-keep]")) { event.preventDefault(); say(); }
  });

  // Other people's changes: the version is requested every three seconds, and the page's parts if it differs. The page
  // does not change while a card is being moved.
  let version = page().dataset.version, asking = false;
  const parts = ["days", "conflicts", "count", "shelf", "inks", "rooms", "day", "legend"];
  async function refresh() {
    if (moving || sending || asking) return;
    asking = true;
    try {
      const answer = await fetch(location.href, {credentials: "same-origin", headers: {"HX-Request": "true"}});
      if (!answer.ok || answer.redirected) { if (answer.redirected) location.href = answer.url; return; }
      const made = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (moving || sending) return;
      const next = made.querySelector(".agenda-page");
      if (!next) { location.reload(); return; }
      dress(made);
      const there = document.activeElement, focused = focusOn || there?.closest?.(".slot")?.id;
      const scroll = scroller() && [scroller().scrollLeft, scroller().scrollTop];
      for (const part of parts) {
        const now = one(`[data-live="${part}"]`), then = made.querySelector(`[data-live="${part}"]`);
        if (now && then && !now.isEqualNode(then)) now.replaceWith(document.adoptNode(then));
      }
      const frame = one(".agenda-grid"), other = made.querySelector(".agenda-grid");
      if (frame && other) frame.className = other.className;
      version = page().dataset.version = next.dataset.version;
      page().dataset.rooms = next.dataset.rooms;
      if (scroll) scroller().scrollTo(...scroll);
      const card = focused && document.getElementById(focused);
      if (card && (focusOn || !there?.isConnected)) link(card).focus({preventScroll: !focusOn});
      focusOn = "";
    } catch { /* the next time */ } finally { asking = false; }
  }
  async function look() {
    if (document.hidden || moving || sending || asking || document.querySelector("dialog[open]")) return;
    try {
      const answer = await fetch(page().dataset.agenda + "/version", {credentials: "same-origin", cache: "no-store", headers: {"If-None-Match": `"${version}"`}});
      if (answer.status === 200 && !answer.redirected && (await answer.text()) !== version) await refresh();
    } catch { /* the next time */ }
  }
  setInterval(look, 3000);
  document.addEventListener("visibilitychange", look);

  // The sheet shows the form of the page about moving, over the agenda.
  async function sheet(card) {
    const dialog = document.getElementById("move-sheet");
    const answer = await fetch(one(".move", card).href, {credentials: "same-origin"});
    const made = new DOMParser().parseFromString(await answer.text(), "text/html");
    const form = made.getElementById("move");
    if (!form) { location.href = one(".move", card).href; return; }
    form.querySelector("h1").outerHTML = form.querySelector("h1").outerHTML.replace(/^<h1/, "<h2").replace(/h1>$/, "h2>");
    dialog.replaceChildren(document.adoptNode(form));
    window.htmx?.process(dialog);
    dialog.showModal();
  }
  document.addEventListener("click", (event) => {
    const move = event.target.closest(".slot .move");
    if (move && !(event.ctrlKey || event.metaKey || event.shiftKey)) { event.preventDefault(); sheet(move.closest(".slot")); return; }
    const dialog = document.getElementById("move-sheet");
    if (dialog.open && (event.target === dialog || event.target.closest("[data-close]"))) { event.preventDefault(); dialog.close(); return; }
    const next = event.target.closest("#move-sheet [data-next]");
    if (next) {
      event.preventDefault();
      const input = one("input[name=time]", dialog);
      input.value = next.dataset.next;
      input.dispatchEvent(new Event("change", {bubbles: true}));
    }
  });

  // Mouse or pen: a card is dragged, or lengthened at its lower edge. A finger scrolls, and uses the button.
  let press = null;
  const edge = (card, y) => slots()?.contains(card) && card.getBoundingClientRect().bottom - y < Math.min(8, card.offsetHeight / 3);
  document.addEventListener("pointerdown", (event) => {
    const card = event.button === 0 && event.pointerType !== "touch" && grid() && event.target.closest(".slot");
    if (!card || event.target.closest(".move") || event.ctrlKey || event.metaKey || event.shiftKey || moving?.how === "click") return;
    const box = card.getBoundingClientRect();
    press = {card, id: event.pointerId, x: event.clientX, y: event.clientY, dx: event.clientX - box.left, dy: slots().contains(card) ? event.clientY - box.top : 8, size: edge(card, event.clientY)};
  });
  document.addEventListener("pointermove", (event) => {
    if (!press) {
      const card = event.pointerType !== "touch" && event.target.closest?.("[data-slots] .slot");
      if (card) card.style.cursor = edge(card, event.clientY) ? "ns-resize" : "";
      if (moving?.how === "click" && grid()) aim(event.clientX, event.clientY);
      return;
    }
    if (event.pointerId !== press.id) return;
    if (!press.card.isConnected) { press = null; stop(); return; }
    if (!moving || moving.how !== "pointer") {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < 6) return;
      pick(press.card, "pointer", press.size);
      if (press.size) document.documentElement.classList.add("sizing");
      else lift();
    }
    event.preventDefault();
    getSelection().removeAllRanges();
    press.at = event;
    if (moving.ghost) moving.ghost.style.transform = "translate(" + (event.clientX - press.dx) + "px, " + (event.clientY - press.dy) + "px)";
    aim(event.clientX, event.clientY, moving.size ? 0 : Math.max(0, press.dy - rowHeight()));
  });
  function lift() {
    const box = press.card.getBoundingClientRect(), ghost = press.card.cloneNode(true);
    ghost.classList.remove("origin", "bad");
    ghost.classList.add("ghost");
    ghost.removeAttribute("id");
    ghost.inert = true;
    ghost.style.width = box.width + "px";
    ghost.style.height = Math.min(box.height, 160) + "px";
    press.dy = Math.min(press.dy, 150);
    const around = document.createElement("div"); // gives the copy the looks of the grid
    around.className = "slots-ghost";
    moving.ghost = ghost;
    page().append(ghost);
  }
  // The grid scrolls when the pointer is near its edge.
  setInterval(() => {
    if (!press?.at || moving?.how !== "pointer") return;
    const box = scroller().getBoundingClientRect(), {clientX: x, clientY: y} = press.at, was = scroller().scrollTop + scroller().scrollLeft;
    if (x > box.right - 40) scroller().scrollLeft += 14;
    if (x < box.left + 88) scroller().scrollLeft -= 14;
    if (y > box.bottom - 40) scroller().scrollTop += 14;
    if (y < box.top + 72 && y > box.top) scroller().scrollTop -= 14;
    if (scroller().scrollTop + scroller().scrollLeft !== was) aim(x, y, moving.size ? 0 : Math.max(0, press.dy - rowHeight()));
  }, 40);
  document.addEventListener("pointerup", (event) => {
    if (!press || event.pointerId !== press.id) return;
    press = null;
    if (moving?.how !== "pointer") return;
    put();
    // The click that ends a drag must not open the link.
    const swallow = (click) => { click.preventDefault(); click.stopPropagation(); };
    addEventListener("click", swallow, {capture: true, once: true});
    setTimeout(() => removeEventListener("click", swallow, true));
  });
  document.addEventListener("pointercancel", () => { press = null; if (moving?.how === "pointer") stop(); });
  document.addEventListener("dragstart", (event) => { if (event.target.closest?.(".slot")) event.preventDefault(); });

  // Two clicks: on a card, then on its new start.
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || !grid()) return;
    if (moving && moving.how !== "pointer") {
      if (event.target.closest("[data-scroller]") && !event.target.closest("[data-column]")) { event.preventDefault(); aim(event.clientX, event.clientY); put(); }
      else if (event.target.closest("[data-shelf]")) { event.preventDefault(); if (slots().contains(moving.card)) { moving.at = {start: null}; put(); } else cancel(); }
      else if (!event.target.closest("[data-say]")) cancel();
      return;
    }
    const card = event.target.closest(".slot");
    if (!card || event.target.closest(".move") || event.detail === 0) return;
    event.preventDefault();
    pick(card, "click");
  }, true);

  // Keys: Enter or m picks a card up, arrows move it, with Shift they change its length, Enter puts it down.
  const near = (card, key) => {
    const box = card.getBoundingClientRect(), cards = all(".slot", slots()).map((c) => [c, c.getBoundingClientRect()]).filter(([c]) => c !== card);
    const x = (b) => (b.left + b.right) / 2, y = (b) => (b.top + b.bottom) / 2, beside = Math.abs;
    const there = cards.filter(([, b]) => ({ArrowUp: y(b) < y(box) && beside(x(b) - x(box)) < box.width / 2, ArrowDown: y(b) > y(box) && beside(x(b) - x(box)) < box.width / 2,
      ArrowLeft: x(b) < x(box) - box.width / 2, ArrowRight: x(b) > x(box) + box.width / 2})[key]);
    const far = ([, b]) => key === "ArrowUp" || key === "ArrowDown" ? beside(y(b) - y(box)) : beside(x(b) - x(box)) * 4 + beside(y(b) - y(box));
    return there.sort((a, b) => far(a) - far(b))[0]?.[0];
  };
  function push(key, size) {
    const at = moving.at, snap = step() * 60000, last = from() + Number(body().dataset.rows) * five;
    if (size && (key === "ArrowUp" || key === "ArrowDown")) at.minutes = Math.max(5, at.minutes + (key === "ArrowDown" ? 1 : -1) * Math.min(step(), 15));
    else if (key === "ArrowUp" || key === "ArrowDown") {
      const next = at.start + (key === "ArrowDown" ? snap : -snap);
      if (next < from() || next >= last) { say(words("The grid ends here. “Move…” takes any time.")); return; }
      at.start = next;
    } else if (byRooms()) {
      const cols = columns(), i = cols.findIndex((c) => c.head === at.column.head) + (key === "ArrowRight" ? 1 : -1);
      if (!cols[i]) { say(words("There is no room on this side.")); return; }
      at.column = cols[i]; at.room = cols[i].id || "-"; at.name = cols[i].name;
    }
    outline();
    drop.scrollIntoView({block: "nearest", inline: "nearest"});
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.target.closest("dialog, input, textarea, select")) return;
    const rtl = getComputedStyle(document.documentElement).direction === "rtl";
    const key = rtl ? {ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft"}[event.key] ?? event.key : event.key;
    if (moving) {
      if (key === "Escape") { press = null; cancel(); }
      else if (event.target.closest("[data-say]")) return;
      else if (key === "Enter" && moving.how === "keys") put();
      else if ((key === "Delete" || key === "Backspace") && slots()?.contains(moving.card)) { moving.at = {start: null}; put(); }
      else if (key.startsWith("Arrow") && grid()) { if (!moving.at) pick(moving.card, "keys"); push(key, event.shiftKey); }
      else return;
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const card = event.target.matches?.(".slot h3 a") && event.target.closest(".slot");
    if (!card) return;
    if (!grid()) { if (key === "m") { event.preventDefault(); sheet(card); } return; }
    if (key === "Enter" || key === "m") pick(card, "keys");
    else if (key.startsWith("Arrow") && slots().contains(card)) {
      const next = near(card, key);
      if (!next) return;
      link(next).focus();
      next.scrollIntoView({block: "nearest", inline: "nearest"});
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
})();
