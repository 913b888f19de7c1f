// Cleans what the rich text editor takes in: stored descriptions, and text pasted from elsewhere.
// The result has only the editor's own elements.
window.richText = (() => {
  const inline = ["a", "abbr", "b", "br", "cite", "code", "dfn", "em", "i", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "u", "var"];
  const blocks = ["p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre"];
  const headings = "h1, h2, h4, h5, h6";
  const blockTags = blocks.join(", ");
  const stored = {
    ALLOWED_TAGS: [...inline, ...blocks, "#text"], ALLOWED_ATTR: ["href", "rel", "title", "dir", "lang"],
    ALLOW_DATA_ATTR: false, ALLOW_ARIA_ATTR: false, ALLOWED_URI_REGEXP: /^(?:(?:https?|mailto):|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
  };
  // Pasted elements whose structure is converted; their styles are read and dropped.
  const foreign = {
    ...stored, ALLOWED_TAGS: [...stored.ALLOWED_TAGS, "del", "strike", "center", "article", "section", "main", "header", "footer", "dl", "dt", "dd", "figure", "figcaption", "table", "thead", "tbody", "tfoot", "tr", "th", "td", "caption"],
    ALLOWED_ATTR: ["href", "data-style", "class"], ADD_URI_SAFE_ATTR: ["data-style"], RETURN_DOM_FRAGMENT: true,
  };
  const pasted = { ...stored, ALLOWED_TAGS: ["a", "b", "br", "code", "i", "s", "sub", "sup", "p", "h3", "ul", "ol", "li", "blockquote", "pre", "#text"], ALLOWED_ATTR: ["href"] };
  const fragment = (html, policy) => document.importNode(DOMPurify.sanitize(quiet(html), { ...policy, RETURN_DOM_FRAGMENT: true }), true);

  // quiet removes style and script elements, and renames style attributes and handlers: browsers report them as
  // violations of the content security policy as soon as they parse them.
  const quiet = (html) => html.replace(/<(style|script)\b[\s\S]*?<\/\1\s*>/gi, "")
    .replace(/<[a-z](?:"[^"]*"|'[^']*'|[^"'>])*>/gi, (tag) => tag.replace(/([\s"'/])(style|on[a-z]+)(?=\s*=)/gi, "$1data-$2"));

  // keeps reports whether the editor can show a description without loss.
  function keeps(html) {
    DOMPurify.sanitize(quiet(html), stored);
    return html === "" || DOMPurify.removed.every((r) => r.element && r.element.nodeName === "BODY");
  }

  function rename(element, tag) {
    const other = element.ownerDocument.createElement(tag);
    if (tag === "a") other.setAttribute("href", element.getAttribute("href"));
    other.append(...element.childNodes);
    element.replaceWith(other);
    return other;
  }
  function wrap(element, tag) {
    const inner = element.ownerDocument.createElement(tag);
    inner.append(...element.childNodes);
    element.append(inner);
  }
  const style = (element) => (element.dataset.style || "").toLowerCase();

  // Word writes lists as paragraphs that begin with a bullet or number; make them lists.
  function wordLists(within) {
    for (const item of within.querySelectorAll("p[data-style*='mso-list:'], p[class*='MsoListParagraph']")) {
      const marker = [...item.querySelectorAll("[data-style]")].find((e) => /mso-list:\s*ignore/.test(style(e)));
      if (!marker && !/mso-list:\s*l\d/.test(style(item))) continue;
      const tag = marker && /^\s*(\d+|[a-z]{1,3}|[ivxlc]+)[.)]/i.test(marker.textContent) ? "ol" : "ul";
      if (marker) marker.remove();
      const before = item.previousElementSibling;
      const list = before && before.dataset.word === tag ? before : item.ownerDocument.createElement(tag);
      if (list !== before) { list.dataset.word = tag; item.before(list); }
      list.append(rename(item, "li"));
    }
  }

  // meant turns styles into elements, such as those of Google Docs and browsers.
  function meant(within) {
    for (const e of within.querySelectorAll("b, strong")) if (/font-weight:\s*(normal|[1-4]00)/.test(style(e))) rename(e, "span");
    for (const e of within.querySelectorAll("em")) if (/font-style:\s*normal/.test(style(e))) rename(e, "span");
    for (const e of within.querySelectorAll("span[data-style], a[data-style]")) {
      const says = style(e);
      if (/font-weight:\s*(bold|[6-9]00)/.test(says)) wrap(e, "b");
      if (/font-style:\s*italic/.test(says)) wrap(e, "i");
      if (/text-decoration[^;]*:[^;]*line-through/.test(says)) wrap(e, "s");
      if (/vertical-align:\s*sub\b/.test(says)) wrap(e, "sub");
      if (/vertical-align:\s*super\b/.test(says)) wrap(e, "sup");
    }
  }

  function paste(html) {
    const start = html.indexOf("<!--StartFragment-->");
    const end = html.lastIndexOf("<!--EndFragment-->");
    const frag = DOMPurify.sanitize(quiet(start >= 0 && end > start ? html.slice(start + 20, end) : html), foreign);
    wordLists(frag);
    meant(frag);
    for (const [from, to] of [["strong", "b"], ["em", "i"], ["del, strike", "s"], [headings, "h3"], ["dt, dd, tr, caption, figcaption", "p"]]) {
      for (const e of frag.querySelectorAll(from)) {
        if (e.matches("tr")) [...e.cells].slice(1).forEach((cell) => cell.before(" "));
        rename(e, to);
      }
    }
    for (const e of [...frag.querySelectorAll("div, td, th, article, section, main, header, footer, center, dl, figure, table, thead, tbody, tfoot")].reverse()) {
      if (e.matches("div, center, article, section") && !e.querySelector(blockTags) && e.textContent.trim()) rename(e, "p"); else e.replaceWith(...e.childNodes);
    }
    // Paragraphs in headings and list items, and empty ones between blocks, are only spacing.
    for (const e of frag.querySelectorAll("h3 p, li > p:only-child, h3 b")) e.replaceWith(...e.childNodes);
    for (const e of frag.querySelectorAll("p, h3, li, span")) if (!e.textContent.trim() && !e.querySelector("br")) e.remove();
    const holder = frag.ownerDocument.createElement("div");
    holder.append(frag);
    return fragment(holder.innerHTML, pasted);
  }

  return { keeps, paste, open: (html) => fragment(html, stored) };
})();
