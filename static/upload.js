// A task's file can be dropped, and is uploaded as soon as it is chosen, with its progress. Without this script it is
// sent as in any form. The texts are in the page.
(() => {
  const show = (part, on) => { if (part) part.hidden = !on; };
  const all = (selector, within) => [...within.querySelectorAll(selector)];
  const language = document.documentElement.lang;
  const mega = (bytes) => (bytes / (1 << 20)).toLocaleString(language, { maximumFractionDigits: bytes < 10 << 20 ? 1 : 0 });
  let sending = null;

  // Shows the drop area in place of the button that sends the form.
  function ready() {
    for (const form of all("[data-drop]", document)) {
      form.classList.add("live");
      form.querySelector("[type=file]").setAttribute("aria-labelledby", "file-drop");
      all("[data-live]", form).forEach((part) => show(part, true));
      all("[data-plain]", form).forEach((part) => show(part, false));
    }
  }

  // The answer is the page as it is now.
  function take(request) {
    const answer = new DOMParser().parseFromString(request.responseText, "text/html");
    const main = answer.querySelector("main"), bar = answer.querySelector(".own-bar");
    if (!main) return location.reload();
    document.title = answer.title;
    document.querySelector("main").replaceWith(main);
    if (bar) document.querySelector(".own-bar")?.replaceWith(bar);
    ready();
    const first = main.querySelector("[data-focus]") || main.querySelector(".notice");
    if (first) { first.tabIndex = -1; first.focus(); first.scrollIntoView({ block: "center" }); }
  }

  function send(form, file) {
    const within = form.closest("[data-upload]"), part = within.querySelector("[data-sending]");
    const failed = within.querySelector("[data-failed]"), stage = part.querySelector("[data-stage]");
    const bar = part.querySelector("progress"), done = part.querySelector("[data-done]");
    const cancel = part.querySelector("[data-cancel]"), request = new XMLHttpRequest();
    const far = (bytes) => {
      bar.value = file.size ? bytes / file.size : 1;
      done.textContent = done.dataset.says.replace("%done", mega(bytes)).replace("%size", mega(file.size));
    };
    // Estimates the remaining time from the pace so far, after a moment.
    const began = Date.now(), left = part.querySelector("[data-left]");
    const rest = (bytes) => {
      const gone = (Date.now() - began) / 1000, seconds = Math.ceil((gone * (file.size - bytes)) / bytes);
      if (!bytes || gone < 2) left.textContent = "";
      else if (seconds < 90) left.textContent = left.dataset.seconds.replace("%n", seconds < 10 ? seconds : Math.ceil(seconds / 10) * 10);
      else left.textContent = left.dataset.minutes.replace("%n", Math.ceil(seconds / 60));
    };
    // The form is shown again once the file's fate is known, or cannot be known: it was sent completely, and the answer
    // was lost.
    let sent = false;
    const lost = () => end(sent ? "[data-unsure]" : "[data-broke]");
    const end = (why) => {
      sending = null;
      show(part, false);
      show(form, true);
      show(failed, Boolean(why));
      all("p", failed).forEach((text) => show(text, why && text.matches(why)));
      form.querySelector("[type=file]").value = "";
      if (why) form.querySelector("[type=file]").focus();
    };
    part.querySelector("[data-name]").textContent = file.name;
    stage.textContent = stage.dataset.sends;
    show(form, false);
    show(part, true);
    show(cancel, true);
    far(0);
    cancel.focus();
    request.upload.addEventListener("progress", ({ loaded }) => { far(Math.min(loaded, file.size)); rest(Math.min(loaded, file.size)); });
    request.upload.addEventListener("load", () => { sent = true; far(file.size); left.textContent = ""; stage.textContent = stage.dataset.checks; show(cancel, false); });
    request.addEventListener("load", () => { sending = null; take(request); });
    request.addEventListener("error", lost);
    request.addEventListener("timeout", lost);
    request.addEventListener("abort", () => end("[data-cancelled]"));
    cancel.onclick = () => request.abort();
    sending = request;
    request.open("POST", form.action);
    request.send(new FormData(form));
  }

  // A file that is too large was removed by now, so there is nothing to send.
  document.addEventListener("change", ({ target }) => {
    const form = target.closest?.("[data-drop].live"), file = target.files?.[0];
    if (!form || sending) return;
    all(".refusal", form.parentElement).forEach((old) => show(old, false));
    if (file) send(form, file);
  });
  for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      const form = event.target.closest?.("[data-drop].live");
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault(); // a file dropped beside the area must not replace the page
      all("[data-drop]", document).forEach((each) => each.classList.toggle("over", each === form && kind !== "dragleave" && kind !== "drop"));
      if (kind !== "drop" || !form || sending || !event.dataTransfer.files.length) return;
      const input = form.querySelector("[type=file]"), one = new DataTransfer();
      one.items.add(event.dataTransfer.files[0]);
      input.files = one.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    });
  }
  window.addEventListener("beforeunload", (event) => { if (sending) event.preventDefault(); });
  ready();
})();
