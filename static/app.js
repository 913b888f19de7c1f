// The pages beyond links and forms. Everything also works without this script.
(() => {
  const root = document.documentElement;
  root.classList.remove("no-js");
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const say = (text) => { const live = document.getElementById("announcements"); if (live) live.textContent = text; };

  function prepare(within) {
    all("[data-copy], [data-open], [data-show], [data-handle]", within).forEach((e) => { e.hidden = false; });
    const summary = within.querySelector("[data-focus]");
    if (summary) summary.focus();
    all("[data-sortable]", within).forEach(sortable);
    all("[data-does=slug]", within).forEach(slug);
    all("[data-does=zone]", within).forEach(zone);
    all("[data-yours]", within).forEach(yours);
  }

  // Shows a moment in the reader's time zone if that differs. The next page then knows the zone.
  function yours(span) {
    const at = new Date(span.dataset.yours);
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (zone) document.cookie = `zone=${zone}; Path=/; Max-Age=31536000; SameSite=Lax`;
    const clock = at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
    if (clock === span.dataset.there) return;
    span.textContent = (span.dataset.says || "(%s your time)").replace("%s", clock);
    span.hidden = false;
  }

  document.addEventListener("click", async (event) => {
    const copy = event.target.closest("[data-copy]");
    if (copy) {
      try {
        await navigator.clipboard.writeText(document.getElementById(copy.dataset.copy).textContent);
        const copied = copy.dataset.copied || "Copied";
        say(copied);
        const label = copy.lastChild; const was = label.textContent;
        label.textContent = copied; setTimeout(() => { label.textContent = was; }, 1500);
      } catch { say("Could not copy; select the text instead"); }
      return;
    }
    const opener = event.target.closest("[data-open]");
    if (opener) { open(opener.dataset.open); return; }
    const show = event.target.closest("[data-show]");
    if (show) {
      const input = document.getElementById(show.dataset.show);
      const hidden = input.type === "password";
      input.type = hidden ? "text" : "password";
      show.setAttribute("aria-pressed", hidden);
      show.dataset.reveal ??= show.textContent;
      show.textContent = hidden ? show.dataset.hide : show.dataset.reveal;
      return;
    }
  });
  // A pop-up closes at a click beside it, and when the keyboard's focus leaves it. A click on something that cannot
  // have the focus focuses the page around it.
  document.addEventListener("focusout", ({ target, relatedTarget: next }) => {
    const menu = target.closest("details.menu[open], details.switcher[open]");
    if (menu && next && !menu.contains(next) && !next.contains(menu)) menu.open = false;
  });
  document.addEventListener("click", (event) => {
    all("details.switcher[open]").forEach((d) => { if (!d.contains(event.target)) d.open = false; });
  });

  function open(id) {
    const dialog = document.getElementById(id);
    if (!dialog || dialog.open) return;
    dialog.showModal();
    if (id === "palette") listPages();
    const input = dialog.querySelector("input");
    if (input) { input.value = ""; filter(input); input.focus(); }
  }

  // The palette lists the pages of the sidebar, without icons and counts, before the account's; the theme comes last.
  function listPages() {
    const pages = document.getElementById("pages");
    if (pages.children.length > 1) return;
    pages.prepend(...all("#sections a").map((there) => {
      const li = document.createElement("li"), a = there.cloneNode(true);
      a.querySelectorAll("svg, .count").forEach((e) => e.remove());
      a.textContent = a.textContent.trim();
      li.append(a);
      return li;
    }));
    const li = document.createElement("li"), theme = document.querySelector('form[action="/theme"]').cloneNode(true);
    theme.querySelectorAll("button").forEach((b) => {
      b.textContent = "Theme: " + b.getAttribute("aria-label").toLowerCase();
      b.classList.remove("button", "quiet", "icon");
      ["aria-label", "title"].forEach((name) => b.removeAttribute(name));
    });
    li.append(theme);
    pages.append(li);
  }

  // Reports whether a word begins like the typed one but for one error, by the rules of models/store/search_near.go.
  function near(word, typed) {
    let at = 0;
    while (at < typed.length && word[at] === typed[at]) at++;
    const rest = (skipped, n) => word.slice(at + skipped).startsWith(typed.slice(at + n));
    const swapped = typed.length > at + 1 && word[at] === typed[at + 1] && word[at + 1] === typed[at];
    return rest(1, 1) || rest(0, 1) || rest(1, 0) || (swapped && rest(2, 2));
  }

  // The palette filters its pages here; the server finds records. An Enter before the answer
  // waits for it.
  let asked = "", answered = "", enter = false;
  function filter(input) {
    asked = input.value.trim(); enter = false;
    const words = asked.toLowerCase().split(/\s+/), pages = all("#pages li");
    const show = (fits) => pages.filter((li) => { li.hidden = !words.every((word) => fits(li.textContent.toLowerCase(), word)); return !li.hidden; });
    const there = (text, word) => text.includes(word);
    if (show(there).length === 0) show((text, word) => there(text, word) || word.length >= 5 && text.split(/\W+/).some((one) => near(one, word)));
    if (asked === "") { const found = document.getElementById("found"); if (found) found.replaceChildren(); answered = ""; }
  }
  const choices = () => all("#palette li :is(a, button)").filter((e) => !e.closest("[hidden]") && e.checkVisibility());
  function goToFirst() {
    if (asked !== answered) { enter = true; return; }
    choices()[0]?.click();
  }
  function found(text) {
    answered = text;
    const nothing = document.querySelector("#found .nothing");
    document.getElementById("found-status").textContent = choices().length ? choices().length + " found" : nothing ? nothing.textContent : "";
    if (enter && asked === answered) goToFirst();
  }

  document.addEventListener("input", (event) => {
    if (event.target.closest("#palette")) filter(event.target);
    if (event.target.form && event.target.form.dataset.guard !== undefined && event.target.type !== "search") event.target.form.dataset.dirty = "";
  });
  document.addEventListener("submit", (event) => { delete event.target.dataset.dirty; });
  // A second click on a button whose answer is shown only once would lose that answer.
  document.addEventListener("submit", (event) => {
    const data = event.target.dataset;
    if (data.sendOnce === undefined) return;
    if (data.sendOnce === "sent") event.preventDefault(); else data.sendOnce = "sent";
  });
  // What is shown only once is removed when the page is left, because browsers keep pages for Back.
  addEventListener("pagehide", () => {
    all("[data-shown-once]").forEach((e) => e.remove());
    all("[data-send-once]").forEach((e) => { e.dataset.sendOnce = ""; });
  });
  addEventListener("beforeunload", (event) => { if (document.querySelector("form[data-dirty]")) event.preventDefault(); });

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented) return; // lists use the key themselves
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") { event.preventDefault(); open("palette"); return; }
    const palette = event.target.closest && event.target.closest("#palette");
    if (palette && (event.key === "ArrowDown" || event.key === "ArrowUp" || (event.key === "Enter" && event.target.matches("input")))) {
      const links = choices();
      if (event.key === "Enter") { goToFirst(); event.preventDefault(); return; }
      const at = links.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
      if (links[at]) links[at].focus(); else palette.querySelector("input").focus();
      event.preventDefault();
      return;
    }
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
      const open = all("details.switcher[open]").pop();
      if (open) { open.open = false; open.querySelector("summary").focus(); return; }
      event.target.closest("[data-leave-by-escape]")?.querySelector("a[data-leave]")?.click();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=checkbox]), textarea, select, dialog")) return;
    if (event.key === "/") { const search = document.querySelector("[data-search]"); if (search) { event.preventDefault(); search.focus(); } }
    if (event.key === "?") open("keys");
    all("[data-key]").find((e) => e.dataset.key === event.key)?.click();
    if (event.key === "j") document.querySelector("a[rel=next]")?.click();
    if (event.key === "k") document.querySelector("a[rel=prev]")?.click();
  });

  // A notice about a change in place moves to the foot of the window, so that nothing jumps. Its Undo works in place
  // too.
  document.addEventListener("foot", ({target: notice}) => {
    notice.classList.add("at-foot");
    const close = document.createElement("button"), undo = notice.querySelector("form.undo");
    close.type = "button"; close.className = "button quiet icon small"; close.textContent = "×";
    close.setAttribute("aria-label", "Close this notice");
    close.addEventListener("click", () => { notice.remove(); document.getElementById("main").focus({preventScroll: true}); });
    notice.append(close);
    if (!undo) return;
    const place = {"hx-post": undo.action, "hx-target": "#main", "hx-select": "#main > *", "hx-swap": "innerHTML show:none"};
    Object.entries(place).forEach(([name, value]) => undo.setAttribute(name, value));
    window.htmx?.process(undo);
  });

  // A short name follows the name until it is edited, in the form that addresses need.
  const short = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 63);
  function slug(input) {
    const source = document.getElementById(input.dataset.from || "name");
    if (!source) return;
    let own = input.value !== "";
    const preview = document.querySelector("[data-preview-of=slug]");
    const show = () => {
      if (!preview) return;
      preview.hidden = input.value === "";
      preview.querySelector("output").textContent = "/" + short(input.value);
    };
    input.addEventListener("input", () => { own = input.value !== ""; show(); });
    source.addEventListener("input", () => { if (!own) { input.value = short(source.value); show(); } });
    show();
  }

  // A time zone that nobody has chosen yet becomes the browser's, if we know it.
  function zone(input) {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (input.value === "" && [...(input.list?.options ?? [])].some((o) => o.value === here)) input.value = here;
  }

  // Dragged rows are moved with the same form as the buttons.
  function sortable(list) {
    if (!window.Sortable) return;
    window.Sortable.create(list, {
      handle: "[data-handle]", animation: 120, group: list.dataset.group,
      onEnd: (event) => {
        const form = event.item.querySelector("form[data-move]");
        if (event.newIndex === event.oldIndex && event.from === event.to) return;
        if (form?.elements.to) form.elements.to.value = event.to.dataset.to;
        if (form) { form.elements.position.value = Number(event.to.dataset.first || 0) + event.newIndex + 1; form.requestSubmit(); }
        all("[data-position]", list).forEach((e, i) => { e.value = i + 1; });
        if (list.dataset.again) document.getElementById(list.dataset.again).click(); // the rows are fields
      },
    });
  }

  // Alt and an arrow press the buttons that move the row with the focus.
  document.addEventListener("keydown", (event) => {
    const does = event.altKey && { ArrowUp: "up", ArrowDown: "down" }[event.key];
    const row = does && event.target.closest("[data-moves]");
    const button = row && row.querySelector(`button[value^="${does}:"]:not([aria-disabled="true"])`);
    if (button) { event.preventDefault(); button.focus(); button.click(); }
  });

  // A refused form comes back as the page with its faults, which replaces this one.
  document.addEventListener("htmx:beforeSwap", (event) => {
    all("[data-sortable] [style]").forEach((e) => e.removeAttribute("style")); // left over from dragging; htmx would copy them, which the content policy forbids
    if (event.detail.xhr.status === 422 || event.detail.xhr.status === 409) { event.detail.shouldSwap = true; event.detail.isError = false; }
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    prepare(event.detail.target);
    if (event.detail.target.id === "found") found(event.detail.requestConfig.parameters.q.trim());
    const target = event.detail.target;
    const outcome = target.id !== "found" &&
      (target.querySelector(":scope > .notice, [data-part] > .notice") || target.querySelector("[data-outcome]"));
    if (outcome) setTimeout(() => say(outcome.textContent), 100);
  });
  // Forms that somebody is typing into are kept when htmx replaces a part of the page around them.
  let typed = [];
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target, requestConfig: { elt } } = event.detail;
    typed = all("form[data-dirty][id]", target).filter((form) => !form.contains(elt));
  });
  document.addEventListener("htmx:afterSwap", () => {
    typed.forEach((form) => document.getElementById(form.id)?.replaceWith(form));
    typed = [];
  });
  // When a part of the page changes, the focus stays in it, even if the focused element is gone.
  // The button that was pressed stays under the pointer, wherever its row went.
  let part = "", pressed = "", top = 0;
  document.addEventListener("htmx:beforeRequest", (event) => {
    const { elt } = event.detail, button = document.activeElement;
    part = elt.closest("[data-part]")?.id;
    pressed = part && elt === button?.form ? button.id : "";
    if (pressed) top = button.getBoundingClientRect().top;
  });
  document.addEventListener("htmx:afterSettle", () => {
    const now = pressed && document.getElementById(pressed);
    if (now) scrollBy(0, now.getBoundingClientRect().top - top);
    pressed = "";
    if (part && document.activeElement === document.body) document.getElementById(part)?.focus();
  });
  document.addEventListener("htmx:beforeRequest", (event) => event.detail.target.setAttribute("aria-busy", "true"));
  document.addEventListener("htmx:afterRequest", (event) => event.detail.target.removeAttribute("aria-busy"));

  // A failed request is reported in the page, with a button to try again without htmx,
  // so that the whole answer is shown.
  function again(config) {
    if (config.verb === "get") { location.reload(); return; }
    const form = document.createElement("form");
    form.method = "post"; form.action = config.path; form.hidden = true;
    config.formData.forEach((value, name) => { const input = document.createElement("input"); input.type = "hidden"; input.name = name; input.value = value; form.append(input); });
    document.body.append(form);
    form.submit();
  }
  function failed(event, text) {
    const { xhr, requestConfig: config } = event.detail;
    all("form[data-dirty]").forEach((e) => { if (config.verb !== "get" && e.contains(event.detail.elt)) delete e.dataset.dirty; });
    if (xhr && (xhr.status === 401 || xhr.status === 403)) { again(config); return; }
    all("#failure").forEach((e) => e.remove());
    const notice = document.createElement("div");
    notice.id = "failure"; notice.className = "notice bad"; notice.setAttribute("role", "alert"); notice.tabIndex = -1;
    const id = xhr && xhr.getResponseHeader && xhr.getResponseHeader("x-request-id");
    notice.append(text + (id ? " Request " + id + ". " : " "));
    const button = document.createElement("button");
    button.type = "button"; button.className = "button small"; button.textContent = "Try again";
    button.addEventListener("click", () => again(config));
    notice.append(button);
    const dialog = event.detail.elt.closest("dialog");
    (dialog || document.getElementById("main")).prepend(notice);
    if (!dialog) notice.focus();
  }
  document.addEventListener("htmx:responseError", (event) => failed(event, event.detail.xhr.status < 500 ? "That cannot be done." : "Something went wrong on our side."));
  document.addEventListener("htmx:sendError", (event) => failed(event, "The server cannot be reached. What you typed is still here."));
  document.addEventListener("htmx:timeout", (event) => failed(event, "The server does not answer. What you typed is still here."));
  // Loads the numbers that were not known when the page was made.
  all("[data-number]").forEach(async (span) => {
    try {
      const answer = await fetch(span.dataset.number, { headers: { "HX-Request": "true" } });
      if (answer.ok && !answer.redirected) span.outerHTML = await answer.text();
    } catch { /* on the next page */ }
  });
  // Back cannot reload an answer to a POST, so its entry in the history gets the address of the page before the form.
  const question = document.querySelector("[data-back]");
  if (question) history.replaceState(null, "", question.dataset.back);
  prepare(document);
})();
