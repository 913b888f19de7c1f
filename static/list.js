// What lists do beyond links and forms: rows are gone through and selected by keys. Everything works without it.
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const say = (text) => { const live = document.getElementById("announcements"); if (live) live.textContent = text; };
  const selection = () => document.querySelector("form[data-selection]");
  const boxes = (form) => all("tbody input[name=id]", form);

  // How many are selected; the bar waits for the first of them.
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
  function prepare(within) { all("form[data-selection]", within).forEach(count); }

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
    boxes(form).forEach((b) => { b.checked = false; });
    all("input[name=scope]", form).forEach((b) => { b.checked = false; });
    told(form);
    (rows()[0] || document.getElementById("main")).focus();
  });

  // A form that asks for a list sends no field that is empty.
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

  // What was changed in place leaves the focus where it was: on the row, or on the next one where that has left.
  let place = null;
  document.addEventListener("htmx:beforeSwap", (event) => {
    const form = event.detail.elt.closest("form[data-selection]");
    place = null;
    if (!form || event.detail.target.id !== "main") return;
    const row = document.activeElement.closest("tbody tr") || boxes(form).find((b) => b.checked)?.closest("tr");
    const titles = rows();
    place = row ? titles.slice(titles.findIndex((t) => row.contains(t))).map((t) => t.id) : [];
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    prepare(event.detail.target);
    if (!place) return;
    const title = place.map((id) => document.getElementById(id)).find(Boolean) || rows().pop() || document.getElementById("main");
    title.focus({preventScroll: true});
    title.scrollIntoView({block: "nearest"});
    place = null;
  });
  prepare(document);
})();
