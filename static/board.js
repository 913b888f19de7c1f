// The sourcing board beyond links and forms: cards are dragged, selected and moved by keys, and moved in a dialog; its
// form sends all moves. Everything also works without this script.
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const board = () => document.querySelector("[data-board]");
  const say = (text) => { const live = document.getElementById("announcements"); if (live) live.textContent = text; };
  const name = (card) => card.querySelector(".person-name").textContent.trim();
  const list = (card) => card.closest("[data-stage]");
  const lists = () => all("[data-stage]", board());
  const cards = (list) => all("[data-card]", list);
  const stage = (list) => list.closest(".board-column").querySelector("h2 bdi, h2 [dir]").textContent.trim();
  let moved = ""; // the card that gets the focus again

  // Moves a card below the card `after` of a stage; "" is the top.
  function move(card, to, after) {
    const form = document.querySelector("[data-move-card]");
    moved = card.dataset.card;
    form.elements.contact.value = moved;
    form.elements.after.value = after;
    const button = all("button[name=to]", form).find((b) => b.value === to.dataset.stage);
    button.disabled = false; // an earlier question disabled it
    button.click(); // htmx sends the name of the clicked button
  }

  function ask(card) {
    const dialog = document.getElementById("move-to"), form = dialog.querySelector("[data-move-card]");
    moved = card.dataset.card;
    form.elements.contact.value = moved;
    form.elements.after.value = "";
    dialog.querySelector("[data-name]").textContent = name(card);
    all("button[name=to]", form).forEach((b) => { b.disabled = b.value === list(card).dataset.stage; });
    dialog.showModal();
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-move-to]");
    if (!link || !board() || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    ask(link.closest("[data-card]"));
  }, true);
  document.addEventListener("submit", (event) => {
    if (event.target.matches("[data-move-card]")) document.getElementById("move-to").close();
    moved = event.target.closest("[data-card]")?.dataset.card ?? moved; // after an invitation
  });

  // Arrows focus the next card; with Shift they move the card.
  function beside(card, by) {
    const all = lists(), at = all.indexOf(list(card)), row = cards(list(card)).indexOf(card);
    for (let i = at + by; i >= 0 && i < all.length; i += by) {
      const there = cards(all[i]);
      if (there.length) return there[Math.min(row, there.length - 1)];
    }
  }
  function step(card, key) {
    const row = cards(list(card)), at = row.indexOf(card);
    const next = {ArrowUp: row[at - 1], ArrowDown: row[at + 1], ArrowLeft: beside(card, -1), ArrowRight: beside(card, 1)}[key];
    if (!next) return;
    next.querySelector(".person-name").focus();
    next.scrollIntoView({block: "nearest", inline: "nearest"});
  }
  function push(card, key) {
    const row = cards(list(card)), at = row.indexOf(card), columns = lists(), column = columns.indexOf(list(card));
    if (key === "ArrowUp") { if (at > 0) move(card, list(card), row[at - 2]?.dataset.card ?? ""); else say(name(card) + " is the first."); }
    if (key === "ArrowDown") { if (row[at + 1]) move(card, list(card), row[at + 1].dataset.card); else say(name(card) + " is the last."); }
    const to = columns[column + {ArrowLeft: -1, ArrowRight: 1}[key]];
    if (to) move(card, to, "");
    else if (key === "ArrowLeft" || key === "ArrowRight") say("There is no stage on this side of " + stage(list(card)) + ".");
  }
  document.addEventListener("keydown", (event) => {
    const card = board() && event.target.matches(".person-name") && event.target.closest("[data-card]");
    if (!card || event.ctrlKey || event.metaKey || event.altKey) return;
    const rtl = getComputedStyle(board()).direction === "rtl";
    const key = rtl ? {ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft"}[event.key] ?? event.key : event.key;
    if (key.startsWith("Arrow")) (event.shiftKey ? push : step)(card, key);
    else if (key === "m") ask(card);
    else return;
    event.preventDefault();
  });

  // Mouse or pen drag a card; a finger scrolls, and uses the button.
  let drag = null;
  const mark = document.createElement("li");
  mark.className = "board-mark";
  mark.setAttribute("aria-hidden", "true");

  document.addEventListener("pointerdown", (event) => {
    const card = event.button === 0 && event.pointerType !== "touch" && board() && event.target.closest("[data-board] [data-card]");
    if (!card || event.target.closest("button, [data-move-to]")) return;
    drag = {card, id: event.pointerId, x: event.clientX, y: event.clientY};
  });
  function lift() {
    const box = drag.card.getBoundingClientRect();
    drag.ghost = drag.card.cloneNode(true);
    drag.ghost.classList.add("ghost");
    drag.ghost.removeAttribute("data-card");
    all("[id]", drag.ghost).forEach((e) => e.removeAttribute("id"));
    drag.ghost.inert = true;
    drag.ghost.style.width = box.width + "px";
    drag.dx = drag.x - box.left;
    drag.dy = drag.y - box.top;
    document.body.append(drag.ghost);
    drag.card.classList.add("lifted");
    document.documentElement.classList.add("dragging");
    say(name(drag.card) + " is lifted from " + stage(list(drag.card)) + ".");
  }
  // Returns the place between two cards under the pointer.
  function place(x, y) {
    const column = all(".board-column", board()).find((c) => { const box = c.getBoundingClientRect(); return x >= box.left - 8 && x < box.right + 8; });
    if (!column) { mark.remove(); return; }
    const to = column.querySelector("[data-stage]"), others = cards(to).filter((c) => c !== drag.card);
    const before = others.find((c) => { const box = c.getBoundingClientRect(); return y < box.top + box.height / 2; });
    if (mark.parentNode !== to || mark.nextElementSibling !== (before ?? null)) to.insertBefore(mark, before ?? null);
  }
  // The board and the page scroll when the pointer is near an edge.
  function follow(x, y) {
    const box = board().getBoundingClientRect();
    if (x > box.right - 40) board().scrollLeft += 16;
    if (x < box.left + 40) board().scrollLeft -= 16;
    if (y > innerHeight - 48) scrollBy(0, 16);
    if (y < 48) scrollBy(0, -16);
  }
  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.card.isConnected) { drop(); return; }
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 6) return;
      lift();
    }
    event.preventDefault();
    getSelection().removeAllRanges();
    drag.ghost.style.transform = "translate(" + (event.clientX - drag.dx) + "px, " + (event.clientY - drag.dy) + "px)";
    follow(event.clientX, event.clientY);
    place(event.clientX, event.clientY);
  });
  function drop() {
    drag?.ghost?.remove();
    drag?.card.classList.remove("lifted");
    document.documentElement.classList.remove("dragging");
    mark.remove();
    drag = null;
  }
  document.addEventListener("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const {card, ghost} = drag, to = mark.parentNode;
    let above = mark.previousElementSibling;
    if (above === card) above = card.previousElementSibling;
    const here = to === list(card) && above === card.previousElementSibling;
    drop();
    if (!ghost) return;
    if (to && !here) move(card, to, above?.dataset.card ?? ""); else say(name(card) + " stays where it was.");
    // The click that ends a drag must not open the link.
    const stop = (click) => { click.preventDefault(); click.stopPropagation(); };
    addEventListener("click", stop, {capture: true, once: true});
    setTimeout(() => removeEventListener("click", stop, true));
  });
  document.addEventListener("pointercancel", () => { if (drag) drop(); });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !drag?.ghost) return;
    say(name(drag.card) + " stays where it was.");
    drop();
    event.preventDefault();
  }, true);
  document.addEventListener("dragstart", (event) => { if (event.target.closest?.("[data-board] [data-card]")) event.preventDefault(); });

  // The moved card gets the focus again.
  document.addEventListener("htmx:afterSettle", () => {
    const link = moved && document.getElementById("card-" + moved);
    moved = "";
    if (!link) return;
    all("#main > .notice:not(.bad)").forEach((notice) => {
      notice.dispatchEvent(new Event("foot", {bubbles: true}));
      const undo = notice.querySelector("form.undo");
      undo?.addEventListener("submit", () => { moved = undo.elements.contact?.value ?? ""; });
    });
    link.focus({preventScroll: true});
    link.closest("[data-card]").scrollIntoView({block: "nearest", inline: "nearest"});
  });
})();
