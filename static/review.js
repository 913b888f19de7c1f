// The keys of a scorecard: 1 to 5 give the score, Enter saves and goes on. All of it works by hand without them.
(() => {
  const form = document.querySelector("form[data-scorecard]");
  if (!form) return;
  const card = form.closest("[popover]");

  // A key acts on what one sees: on a phone the card is opened first, one that is folded is left alone.
  function seen() {
    if (!form.checkVisibility() && card) card.showPopover();
    return form.checkVisibility();
  }
  function give(score) {
    const choice = form.querySelector(`[name=score][value="${score}"]`);
    choice.checked = true;
    choice.dispatchEvent(new Event("input", { bubbles: true }));
    document.getElementById("announcements").textContent = "Score " + choice.closest("label").textContent.replace(/\s+/g, " ").trim();
  }
  // The bar that opens the card on a phone tells of what is not saved.
  form.addEventListener("input", () => {
    const state = document.querySelector(".scorecard-bar [data-state]");
    if (state) state.textContent = "Begun, not saved yet";
  });
  const save = () => form.requestSubmit(form.querySelector("[name=then]"));

  document.addEventListener("keydown", (event) => {
    if (event.repeat || event.isComposing || event.altKey || document.querySelector("dialog[open]")) return;
    const at = event.target;
    const elsewhere = at.closest("form") && at.closest("form") !== form;
    const typing = at.closest("input:not([type=radio]), textarea, select, [contenteditable]");
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      if (!elsewhere && seen()) { event.preventDefault(); save(); }
      return;
    }
    if (event.ctrlKey || event.metaKey || typing || elsewhere) return;
    if (/^[1-5]$/.test(event.key) && seen()) { event.preventDefault(); give(event.key); }
    if (event.key === "Enter" && !at.closest("a, button, summary, input") && seen()) { event.preventDefault(); save(); }
  });
})();
