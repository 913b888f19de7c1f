// What triage does beyond links and forms: the current row stays in sight. Everything works without it.
(() => {
  function show() {
    const rows = document.querySelector("[data-triage-rows]"), current = rows?.querySelector("[aria-current]")?.closest("li");
    if (!current || rows.scrollHeight <= rows.clientHeight) return;
    rows.scrollTop += current.getBoundingClientRect().top - rows.getBoundingClientRect().top - rows.clientHeight / 3;
  }
  document.addEventListener("htmx:afterSwap", (event) => { if (event.detail.target.id === "main") show(); });
  show();
})();
