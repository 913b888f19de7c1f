// Reports at once that a file is too large, and removes it from the form. Without this script the server refuses it.
(() => {
  const size = (bytes) => (bytes >= 1 << 20 ? `${Math.ceil(bytes / (1 << 20))} MB` : `${Math.max(1, Math.ceil(bytes / 1024))} KB`);
  document.addEventListener("change", ({ target }) => {
    const most = Number(target.dataset?.max);
    if (target.type !== "file" || !most) return;
    const [file] = target.files, id = target.id + "-size";
    document.getElementById(id)?.remove();
    target.removeAttribute("aria-invalid");
    if (!file || file.size <= most) return;
    const said = document.createElement("p");
    said.id = id;
    said.className = "fault error";
    said.setAttribute("role", "alert");
    const values = { "%name": file.name, "%size": size(file.size), "%most": size(most) };
    said.textContent = (target.dataset.large || "%name has %size, and up to %most are taken. Choose a smaller one.")
      .replace(/%name|%size|%most/g, (place) => values[place]);
    target.value = "";
    target.setAttribute("aria-invalid", "true");
    target.before(said);
  });
})();
