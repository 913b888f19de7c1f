// Rich text fields: an editor in front of a textarea, which stays the field that is sent. A text
// that was not edited is sent unchanged, byte for byte.
(() => {
  const { richText, Squire } = window;
  const one = (selector, within) => within.querySelector(selector);

  const pressed = {
    bold: (at) => at.has("b"), italic: (at) => at.has("i"), link: (at) => at.in("a"), heading: (at) => at.in("h1, h2, h3, h4, h5, h6"),
    bullets: (at) => at.list("UL"), numbers: (at) => at.list("OL"), quote: (at) => at.in("blockquote"), code: (at) => at.in("code, pre"),
  };
  const does = {
    bold: (editor, on) => on ? editor.removeBold() : editor.bold(),
    italic: (editor, on) => on ? editor.removeItalic() : editor.italic(),
    heading: (editor, on) => editor.modifyBlocks((fragment) => retag(fragment, on)).focus(),
    bullets: (editor, on) => on ? editor.removeList() : editor.makeUnorderedList(),
    numbers: (editor, on) => on ? editor.removeList() : editor.makeOrderedList(),
    quote: (editor, on) => on ? editor.removeQuote() : editor.increaseQuoteLevel(),
    code: (editor) => editor.toggleCode(),
  };

  // Browsers insert a non-breaking space where bold text begins or ends.
  const spaceAtInline = /&nbsp;(?=<\/?(?:a|b|i|s|code|sub|sup)\b)|(?<=<\/(?:a|b|i|s|code|sub|sup)>)&nbsp;/g;

  // What only the cursor needs: the last break of a block, empty paragraphs at the end.
  const unseen = /(?<!<(?:p|div|li|h[1-6])>)<br>(?=<\/(?:p|div|li|h[1-6])>)|(?:<p><br><\/p>)+$/g;

  function retag(fragment, on) {
    for (const block of fragment.querySelectorAll(on ? "h1, h2, h3, h4, h5, h6" : "p, div")) {
      if (block.closest("li") || one("p, div, ul, ol, blockquote", block)) continue;
      const other = document.createElement(on ? "p" : "h3");
      other.append(...block.childNodes);
      block.replaceWith(other);
    }
    return fragment;
  }

  // Text without markup is shown with its lines, as on its page.
  const paragraphs = (text) => /<[a-z!/]/i.test(text) || !text.trim() ? text
    : text.trim().split(/\n\s*\n/).map((part) => "<p>" + part.replaceAll("\n", "<br>") + "</p>").join("");

  function address(text) {
    text = text.trim();
    if (/^[^\s@:/]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return "mailto:" + text;
    if (text && !/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text)) text = "https://" + text;
    return /^(https?:\/\/[^/\s]*[^/.\s]|mailto:.)\S*$/i.test(text) && URL.canParse(text) ? text : "";
  }

  function enhance(field) {
    if (field.dataset.rich === "ready") return;
    field.dataset.rich = "ready";
    const text = one("textarea", field), area = one(".area", field), tools = one(".tools", field), to = one(".to", field);
    const hint = one(".hint", field), says = one("[data-says]", field), where = one("input", to);
    const limit = Number(field.dataset.limit);
    const buttons = [...tools.querySelectorAll("button")], toggle = buttons.at(-1);
    let rich = false, opening = false, came = "", opened = "";

    const editor = new Squire(area, {
      blockTag: "P",
      sanitizeToDOMFragment: (html) => opening || html.includes("<!-- squire -->") ? richText.open(html) : richText.paste(html),
    });

    // Squire writes b and i; replace them by strong and em. One block a line, for people who read the HTML.
    function html() {
      if (!area.textContent.trim()) return "";
      area.querySelectorAll("[style]").forEach((e) => e.removeAttribute("style")); // browsers leave some when lines are joined
      return editor.getHTML().replace(spaceAtInline, " ").replace(unseen, "").replace(/<(\/?)b>/g, "<$1strong>").replace(/<(\/?)i>/g, "<$1em>")
        .replace(/(<\/(?:p|div|h[1-6]|li|ul|ol|blockquote|pre)>|<(?:ul|ol|blockquote)>)(?=<)/g, "$1\n");
    }

    function open() {
      came = text.value;
      opening = true;
      editor.setHTML(paragraphs(came));
      opening = false;
      opened = html();
      count();
    }

    function store() {
      if (!rich) return;
      const now = html(), value = now === opened ? came : now;
      if (value === text.value) return;
      text.value = value;
      text.dispatchEvent(new CustomEvent("input", { bubbles: true, detail: "rich" }));
    }

    function show(asText) {
      rich = asText;
      area.hidden = !rich;
      text.hidden = rich;
      hint.hidden = rich;
      to.hidden = true;
      tools.hidden = false;
      toggle.textContent = rich ? "Edit as HTML" : "Edit as text";
      buttons.forEach((b) => { if (b !== toggle) b.hidden = !rich; });
      rove(rich ? buttons[0] : toggle);
    }

    function turn() {
      if (rich) { store(); show(false); text.focus(); return; }
      if (!richText.keeps(text.value)) { say("This has markup that only HTML shows, such as a table or a picture. It is edited as HTML, so that nothing is lost."); return; }
      open();
      show(true);
      area.focus();
    }

    function say(words) { if (says.textContent !== words) says.textContent = words; }
    function count() {
      const n = [...text.value].length;
      say(n > limit ? `${(n - limit).toLocaleString("en")} characters too long, with its markup.` : n > limit * .9 ? `${(limit - n).toLocaleString("en")} characters left, markup included.` : "");
    }

    const at = () => {
      const range = editor.getSelection();
      let node = range.commonAncestorContainer;
      if (node === area && range.startContainer !== area) node = range.startContainer;
      if (node.nodeType === Node.TEXT_NODE) node = node.parentNode;
      const near = (selector) => { const found = node.closest(selector); return found && area.contains(found) && found !== area ? found : null; };
      return { has: (tag) => editor.hasFormat(tag), in: near, list: (tag) => near("ul, ol")?.nodeName === tag };
    };
    function state() {
      const here = at();
      buttons.forEach((b) => { if (pressed[b.dataset.does]) b.setAttribute("aria-pressed", Boolean(pressed[b.dataset.does](here))); });
    }
    function act(what) {
      if (what === "html") turn();
      else if (what === "link") askLink();
      else if (does[what]) { does[what](editor, Boolean(pressed[what](at()))); state(); }
    }

    function askLink() {
      const link = at().in("a");
      where.value = link ? link.getAttribute("href") : "";
      one("[data-does=remove-link]", to).hidden = !link;
      fault("");
      to.hidden = false;
      where.select();
    }
    function fault(words) {
      one(".error", to).textContent = words;
      where.toggleAttribute("aria-invalid", words !== "");
      if (words) where.setAttribute("aria-invalid", "true");
    }
    function closeLink() { to.hidden = true; area.focus(); }
    function setLink() {
      const link = at().in("a"), href = address(where.value);
      if (!href) { fault("Type a web or e-mail address, such as https://example.org."); where.focus(); return; }
      closeLink();
      if (link) { const range = document.createRange(); range.selectNodeContents(link); editor.setSelection(range); }
      editor.makeLink(href);
      const range = editor.getSelection();
      range.collapse(false);
      editor.setSelection(range); // continue to type after it
    }
    function removeLink() { closeLink(); editor.removeLink(); }

    // The toolbar is one stop of the Tab key; arrows move within it.
    function rove(to) { buttons.forEach((b) => { b.tabIndex = b === to ? 0 : -1; }); }
    tools.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const shown = buttons.filter((b) => !b.hidden);
      const next = event.key === "Home" ? shown[0] : event.key === "End" ? shown.at(-1) : step && shown.at((shown.indexOf(event.target) + step) % shown.length);
      if (next) { event.preventDefault(); rove(next); next.focus(); }
    });
    tools.addEventListener("mousedown", (event) => { if (event.target.closest("button") && rich) event.preventDefault(); }); // keeps the selection
    tools.addEventListener("click", (event) => { const b = event.target.closest("button"); if (b) { rove(b); act(b.dataset.does); } });
    to.addEventListener("click", (event) => {
      const b = event.target.closest("button");
      if (b) ({ "set-link": setLink, "remove-link": removeLink, "close-link": closeLink })[b.dataset.does]();
    });
    to.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target === where) { event.preventDefault(); setLink(); }
      if (event.key === "Escape") { event.preventDefault(); closeLink(); }
    });
    to.addEventListener("input", (event) => event.stopPropagation()); // it is no field of the form

    // The page's keyboard shortcuts are ordinary letters here.
    area.addEventListener("keydown", (event) => event.stopPropagation());
    for (const [keys, what] of [["k", "link"], ["Shift-1", "heading"], ["Shift-2", "quote"]]) {
      for (const control of ["Ctrl-", "Meta-"]) editor.setKeyHandler(control + keys, (_, event) => { event.preventDefault(); act(what); });
    }
    for (const keys of ["Tab", "Shift-Tab"]) editor.setKeyHandler(keys, null); // Tab leaves the field, also in a list
    editor.addEventListener("input", () => { store(); count(); });
    editor.addEventListener("pathChange", state);
    editor.addEventListener("select", state);
    editor.addEventListener("cursor", state);

    text.addEventListener("input", (event) => { if (rich && event.detail !== "rich") open(); count(); });
    text.form.addEventListener("submit", store, true);
    text.form.addEventListener("reset", () => setTimeout(() => { if (rich) open(); }));
    addEventListener("pageshow", () => { if (rich && text.value !== came && html() === opened) open(); }); // some browsers restore fields late
    field.addEventListener("click", (event) => { if (rich && event.target.closest("label")?.htmlFor === text.id) { event.preventDefault(); area.focus(); } });
    document.addEventListener("click", (event) => {
      if (rich && field.isConnected && event.target.closest(`a[href="#${text.id}"]`)) { event.preventDefault(); area.focus(); }
    });

    const keeps = richText.keeps(text.value);
    if (keeps) open();
    show(keeps);
    count();
  }

  const prepare = (within) => within.querySelectorAll("[data-rich]").forEach(enhance);
  document.addEventListener("htmx:afterSwap", (event) => prepare(event.detail.target));
  prepare(document);
})();
