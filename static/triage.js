// Triage beyond links and forms: the current row stays in view. Everything also works without this script.
(() => {
  function show() {
    const rows = document.querySelector("[data-triage-rows]"), current = rows?.querySelector("[aria-current]")?.closest("li");
    if (!current || rows.scrollHeight <= rows.clientHeight) return;
    rows.scrollTop += current.getBoundingClientRect().top - rows.getBoundingClientRect().top - rows.clientHeight / 3;
  }
  document.addEventListener("htmx:afterSwap", (event) => { if (event.detail.target.id === "main") show(); });
  show();
})();
