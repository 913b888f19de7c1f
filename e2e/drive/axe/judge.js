
// How axe-core looks at a page. Rules of colour cost a third of it, and what they say depends on colours alone: an
// element is judged by them once for each way in which it and what it stands in are coloured, as long as the document
// lives.
{
  axe.configure({rules: [
    {id: "color-contrast", selector: "[data-unseen]"},
    {id: "link-in-text-block", selector: "a[href][data-unseen]"},
  ]});

  const ways = new Map();
  const number = way => ways.get(way) || (ways.set(way, ways.size + 1), ways.size);

  const coloured = (element, within) => {
    const s = getComputedStyle(element), parent = element.parentElement;
    return [within, element.tagName, element.className, s.color, s.backgroundColor, s.backgroundImage, s.opacity,
      s.fontSize, s.fontWeight, s.textShadow, s.textDecorationLine, s.visibility, s.display, s.position,
      element.tagName === "A" && parent.textContent.trim() !== element.textContent.trim()].join();
  };

  const within = element => element ? number(coloured(element, within(element.parentElement))) : 0;

  // mark marks what stands on the page in a way that has not been judged, for the rules of colour.
  const mark = (element, around) => {
    const before = ways.size, way = number(coloured(element, around));
    element.toggleAttribute("data-unseen", ways.size > before);
    for (const child of element.children) mark(child, way);
  };

  // alone empties what stands beside a part of the page: axe would look at all of it in vain.
  const alone = part => {
    for (let e = part; document.body.contains(e) && e !== document.body; e = e.parentElement) {
      for (const other of e.parentElement.children) if (other !== e) other.replaceChildren();
    }
  };

  window.judge = async (part, rules) => {
    const at = document.querySelector(part) || document.documentElement;
    alone(at);
    if (!rules || rules.includes("color-contrast")) mark(at, within(at.parentElement));
    const only = rules ? {type: "rule", values: rules} : {type: "tag",
      values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]};
    const r = await axe.run(at, {runOnly: only, resultTypes: ["violations"], preload: false});
    for (const marked of document.querySelectorAll("[data-unseen]")) marked.removeAttribute("data-unseen"); // an editor would send it
    return r.violations.map(v => ({id: v.id, help: v.help, nodes: v.nodes.slice(0, 3).map(n =>
      n.html.slice(0, 200) + " — " + (n.any[0] || n.all[0] || n.none[0] || {}).message)}));
  };
}
