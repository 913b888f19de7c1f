// Saves the form of a proposal while somebody types. Without this script its buttons save it.
(() => {
  const form = document.querySelector("form[data-autosave]");
  const said = document.getElementById("saved");
  if (!form || !said) return;
  const says = form.dataset; // in the language of the page
  const pause = 1200, retry = 8000;
  let timer = 0, saving = null, dirty = false, stopped = false;

  const texts = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => typeof value === "string"));
  const tell = (text, bad) => { said.textContent = text; said.classList.toggle("bad", Boolean(bad)); };
  const later = (ms) => { clearTimeout(timer); if (!stopped) timer = setTimeout(save, ms); };

  // The saved values become the fields' first values, by which a later save notices that another tab wrote meanwhile.
  function kept(sent, answer) {
    form.elements.updated_at.value = answer.updated_at;
    for (const first of form.querySelectorAll("input[name^=was_]")) {
      const name = first.name.slice(4);
      if (!(name in answer.wrong)) first.value = sent.getAll(name).join("\n");
    }
    for (const state of document.querySelectorAll("[data-part]")) state.textContent = answer.parts[state.dataset.part] ?? state.textContent;
    tell(answer.said, Object.keys(answer.wrong).length);
  }

  async function save() {
    clearTimeout(timer);
    if (saving || stopped || !dirty) return;
    dirty = false;
    tell(says.saving);
    const sent = texts();
    saving = fetch(form.dataset.autosave, { method: "POST", body: sent, headers: { Accept: "application/json" } });
    try {
      const answer = await saving;
      const json = (answer.headers.get("Content-Type") || "").includes("json") ? await answer.json() : null;
      if (answer.ok && json) kept(sent, json);
      else if (answer.status >= 500 || answer.status === 429) { dirty = true; tell(says.retrying, true); later(retry); }
      else { dirty = stopped = true; tell(json?.problem ?? says.stopped, true); }
    } catch { dirty = true; tell(says.offline, true); later(retry); }
    saving = null;
    if (dirty && !stopped) later(pause);
  }

  form.addEventListener("input", (event) => {
    if (event.target.type === "file" || event.target.name.startsWith("invite_")) return;
    dirty = true;
    if (!saving) tell(says.unsaved);
    later(pause);
  });
  // While a save is under way, a button waits for its end; its form would have an old token otherwise.
  form.addEventListener("submit", (event) => {
    clearTimeout(timer);
    if (!saving) { dirty = false; return; }
    event.preventDefault();
    const { submitter } = event;
    saving.finally(() => setTimeout(() => form.requestSubmit(submitter)));
  });
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") save(); });
  addEventListener("beforeunload", (event) => { if (dirty) { save(); event.preventDefault(); } });
})();
