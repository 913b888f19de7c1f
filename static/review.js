// The keys of a scorecard: numbers answer its scales in turn, Enter saves and goes on. Everything also works without
// them.
(() => {
  const form = document.querySelector("form[data-scorecard]");
  if (!form) return;
  const card = form.closest("[popover]");
  const scales = [...form.querySelectorAll(".scores")];
  const answered = (scale) => scale.querySelector(":checked");

  // On a phone the first key only opens the scorecard. Reports whether the form is on show.
  function seen() {
    if (!form.checkVisibility() && card) card.showPopover();
    return form.checkVisibility();
  }
  // A number answers the scale with the focus, else the first unanswered one; then the next unanswered one gets the focus.
  function give(number, at) {
    const scale = scales.find((scale) => scale.contains(at)) || scales.find((scale) => !answered(scale)) || scales[0];
    const choice = [...(scale?.querySelectorAll("input") ?? [])].find((input) => input.value === number);
    if (!choice) return;
    choice.checked = true;
    choice.dispatchEvent(new Event("input", { bubbles: true }));
    const asks = scale.closest("fieldset")?.querySelector("legend")?.textContent ?? "";
    document.getElementById("announcements").textContent =
      (asks + " " + choice.closest("label").textContent).replace(/\s+/g, " ").trim();
    if (scales.length > 1) (scales.find((scale) => !answered(scale))?.querySelector("input") ?? choice).focus();
  }
  // The bar that opens the scorecard on a phone says that something is not saved.
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
    if (/^[0-9]$/.test(event.key) && scales.length > 0 && seen()) { event.preventDefault(); give(event.key, at); }
    if (event.key === "Enter" && !at.closest("a, button, summary, input") && seen()) { event.preventDefault(); save(); }
  });
})();
