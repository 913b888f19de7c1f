// Asks the browser to make or use a passkey before such a form is sent. Without this script the forms stay hidden, and
// passwords and codes remain.
(() => {
  if (!window.PublicKeyCredential || !navigator.credentials) return;
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const text = (buffer) => buffer &&
    btoa(Array.from(new Uint8Array(buffer), (b) => String.fromCharCode(b)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const ids = (keys) => (keys || []).map((key) => ({ ...key, id: bytes(key.id) }));

  // Converts the server's base64 into bytes for the browser, and back.
  function options(said) {
    const all = { ...said, challenge: bytes(said.challenge) };
    if (said.user) all.user = { ...said.user, id: bytes(said.user.id) };
    if (said.excludeCredentials) all.excludeCredentials = ids(said.excludeCredentials);
    if (said.allowCredentials) all.allowCredentials = ids(said.allowCredentials);
    return all;
  }
  function answer({ id, rawId, type, authenticatorAttachment, response: r }) {
    const response = { clientDataJSON: text(r.clientDataJSON) };
    for (const part of ["attestationObject", "authenticatorData", "signature", "userHandle"]) {
      if (r[part]) response[part] = text(r[part]);
    }
    if (r.getTransports) response.transports = r.getTransports();
    return JSON.stringify({ id, rawId: text(rawId), type, authenticatorAttachment, clientExtensionResults: {}, response });
  }

  let sent = false; // an answer is on its way; a second one would meet a changed login
  let offer = null; // the request behind the list of passkeys in a field
  const stop = () => { if (offer) offer.abort(); offer = null; };

  async function ask(form, how) {
    const said = form.dataset.options || await (await fetch(form.dataset.from, { headers: { accept: "application/json" } })).text();
    const publicKey = options(JSON.parse(said));
    const made = form.dataset.passkey === "make" ? navigator.credentials.create({ publicKey, ...how }) : navigator.credentials.get({ publicKey, ...how });
    const found = answer(await made);
    if (sent) return;
    sent = true;
    form.elements.answer.value = found;
    form.submit();
  }

  function tell(form, error) {
    const why = { InvalidStateError: form.dataset.known, SecurityError: form.dataset.elsewhere }[error.name] || form.dataset.cancelled;
    const trouble = form.querySelector("[role=alert]");
    trouble.textContent = why;
    trouble.hidden = false;
  }

  // Offers passkeys in the list of the address field, and asks anew every five minutes, because challenges expire.
  async function list(form) {
    if (!await PublicKeyCredential.isConditionalMediationAvailable?.()) return;
    for (let late = true; late;) {
      const mine = offer = new AbortController();
      const anew = setTimeout(() => mine.abort("late"), 5 * 60 * 1000);
      try { await ask(form, { mediation: "conditional", signal: mine.signal }); late = false; }
      catch { late = mine.signal.reason === "late"; }
      clearTimeout(anew);
    }
  }

  for (const form of document.querySelectorAll("form[data-passkey]")) {
    form.hidden = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (sent) return;
      stop();
      const button = form.querySelector("button");
      button.disabled = true;
      try { await ask(form, {}); } catch (error) {
        tell(form, error);
        button.disabled = false;
        if (form.dataset.from) list(form);
      }
    });
    // After Back a browser may show the page in its former state.
    addEventListener("pageshow", () => { sent = form.querySelector("button").disabled = false; });
    if (form.dataset.from) list(form);
  }
})();
