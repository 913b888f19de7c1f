// Lists beyond links and forms: rows are focused and selected by keys. Everything also works without this script.
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const say = (text) => { const live = document.getElementById("announcements"); if (live) live.textContent = text; };
  const selection = () => document.querySelector("form[data-selection]");
  const boxes = (form) => all("tbody input[name=id]", form);

  // Counts the selected rows; the bar is hidden while there are none.
  function count(form) {
    const n = boxes(form).filter((b) => b.checked).length;
    all("[data-selected]", form).forEach((e) => { e.textContent = n + " selected"; });
    all("[data-selection-bar]", form).forEach((e) => { e.hidden = n === 0; });
    all("[data-select-none]", form).forEach((e) => { e.hidden = false; });
    all("[data-select-page]", form).forEach((e) => {
      e.hidden = false; e.checked = n > 0 && n === boxes(form).length; e.indeterminate = n > 0 && !e.checked;
    });
    return n;
  }
  function told(form) { say(count(form) + " selected"); }
  function prepare(within) { all("form[data-selection]", within).forEach(count); showTab(within); }

  document.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-selection]");
    if (!form) return;
    if (event.target.matches("[data-select-page]")) boxes(form).forEach((b) => { b.checked = event.target.checked; });
    if (event.target.matches("tbody input[name=id], [data-select-page]")) told(form);
  });
  document.addEventListener("click", (event) => {
    const none = event.target.closest("[data-select-none]");
    if (!none) return;
    const form = none.closest("form");
    const ticked = boxes(form).find((b) => b.checked)?.closest("tr").querySelector(".title");
    boxes(form).forEach((b) => { b.checked = false; });
    all("input[name=scope]", form).forEach((b) => { b.checked = false; });
    all("details[open]", form).forEach((e) => { e.open = false; });
    told(form);
    (ticked || rows()[0] || document.getElementById("main")).focus({preventScroll: true});
  });

  // On a touch screen a tap anywhere in a row opens the link of its title.
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || !matchMedia("(pointer: coarse)").matches) return;
    if (event.target.closest("a, button, input, label, summary, select")) return;
    event.target.closest("main table.list tbody tr")?.querySelector("a.title")?.click();
  });

  // Scrolls the current tab into view.
  function showTab(within) {
    all(".tabs [aria-current]", within).forEach((tab) => {
      const tabs = tab.closest(".tabs");
      tabs.scrollLeft += tab.getBoundingClientRect().left - tabs.getBoundingClientRect().left - 48;
    });
  }

  // The search of a list leaves empty fields out of the address.
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form[data-tidy]")) return;
    const empty = [...event.target.elements].filter((e) => e.name && e.value === "" && !e.disabled);
    empty.forEach((e) => { e.disabled = true; });
    setTimeout(() => empty.forEach((e) => { e.disabled = false; }));
  });

  // The current row is the one whose title has the focus.
  const rows = () => all("main table.list tbody .title");
  function step(by) {
    const titles = rows(), row = document.activeElement.closest("tbody tr");
    const at = row ? titles.findIndex((t) => row.contains(t)) : by > 0 ? -1 : titles.length;
    const next = titles[at + by];
    if (!next) return;
    next.focus({preventScroll: true});
    next.closest("tr").scrollIntoView({block: "nearest"});
  }
  function tickCurrent() {
    const row = document.activeElement.closest("tbody tr"), box = row && row.querySelector("input[name=id]");
    if (!box) return;
    box.checked = !box.checked;
    told(box.form);
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || rows().length === 0) return;
    if (event.target.closest("input:not([type=checkbox]), textarea, select, dialog")) return;
    const form = selection(), bar = form && form.querySelector("[data-selection-bar]:not([hidden])");
    switch (event.key) {
      case "j": step(1); break;
      case "k": step(-1); break;
      case "x": tickCurrent(); break;
      case "b": if (!bar) return; bar.focus(); break;
      default: {
        const verb = bar && /^[a-z]$/.test(event.key) && bar.querySelector("button[aria-keyshortcuts=" + event.key + "]");
        if (!verb) return;
        verb.click();
      }
    }
    event.preventDefault();
  });

  // After a change in place the focus returns to the row, or to the next one if the row has left the list.
  let place = null, left = [];
  document.addEventListener("htmx:beforeSwap", (event) => {
    const by = event.detail.requestConfig.elt, form = by.closest("form[data-selection]");
    place = null;
    if (by.closest(".at-foot") && event.detail.target.id === "main") place = left;
    if (!form || event.detail.target.id !== "main") return;
    const row = document.activeElement.closest("tbody tr") || boxes(form).find((b) => b.checked)?.closest("tr");
    const titles = rows();
    place = row ? titles.slice(titles.findIndex((t) => row.contains(t))).map((t) => t.id) : [];
    left = place;
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    prepare(event.detail.target);
    if (!place) return;
    all(":scope > .notice:not(.bad)", event.detail.target).forEach((n) => n.dispatchEvent(new Event("foot", {bubbles: true})));
    const title = place.map((id) => document.getElementById(id)).find(Boolean) || rows().pop() || document.getElementById("main");
    title.focus({preventScroll: true});
    title.scrollIntoView({block: "nearest"});
    place = null;
  });
  prepare(document);
})();
