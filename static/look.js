// Reloads the preview of a look or an embed, and the table of contrasts, while somebody types. Without this script a
// button does.
(() => {
  const form = document.querySelector("[data-look]");
  if (!form) return;
  const base = form.dataset.look, measures = document.getElementById("measures");
  const hex = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i;
  let timer, asked = "";

  // Returns the query for the preview. Long texts are cut, because addresses have a limit.
  function query() {
    const q = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      if (typeof value !== "string" || name.startsWith("_") || name.startsWith("was_") || name === "updated_at") continue;
      q.append(name, name === "intro" ? new DOMParser().parseFromString(value, "text/html").body.textContent.slice(0, 280) : value);
    }
    return q;
  }

  async function update() {
    const q = query();
    if (String(q) === asked) return;
    asked = String(q);
    for (const frame of document.querySelectorAll("iframe[data-theme][src]")) {
      q.set("theme", frame.dataset.theme);
      frame.contentWindow.location.replace(`${base}/preview?${q}`);
    }
    const sent = asked;
    const answer = await fetch(`${base}/measures?${q}`).catch(() => null);
    if (answer?.ok && sent === asked) measures.innerHTML = await answer.text();
  }

  const soon = () => { clearTimeout(timer); timer = setTimeout(update, 250); };
  form.addEventListener("input", soon);
  form.addEventListener("change", soon);
  form.querySelector('[value="preview"]').hidden = true;
  asked = String(query());

  // Adds a colour picker to a field for a colour.
  for (const field of form.querySelectorAll("#brand, #paper, #accent")) {
    const picker = document.createElement("input");
    picker.type = "color";
    picker.className = "picker";
    picker.setAttribute("aria-label", `Pick: ${field.labels[0].firstChild.textContent.trim()}`);
    const full = (text) => {
      const digits = hex.exec(text.trim())?.[1];
      return digits && "#" + (digits.length === 3 ? [...digits].map((d) => d + d).join("") : digits).toLowerCase();
    };
    const follow = () => { picker.value = full(field.value) || full(field.placeholder); };
    const both = document.createElement("div");
    both.className = "with-picker";
    field.before(both);
    both.append(picker, field);
    picker.addEventListener("input", () => { field.value = picker.value.toUpperCase(); });
    field.addEventListener("input", follow);
    follow();
  }
})();
