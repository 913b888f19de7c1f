// What the pages for everybody do beyond links. Everything works without it: what is starred then stands in the address.
(() => {
  const root = document.documentElement;
  root.classList.remove("no-js");
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const say = (text) => { const live = document.getElementById("announcements"); if (live) live.textContent = text; };

  // A panel closes by Escape and by a click beside it.
  document.addEventListener("click", ({ target }) => all("details.filter[open], details.zones[open]").forEach((d) => { if (!d.contains(target)) d.open = false; }));
  document.addEventListener("keydown", (event) => {
    const open = event.key === "Escape" && document.querySelector("details.filter[open], details.zones[open]");
    if (open) { open.open = false; open.querySelector("summary").focus(); }
  });
  // A ticked value narrows at once.
  document.addEventListener("change", ({ target }) => { if (target.closest(".filter")) target.form.requestSubmit(); });

  // My schedule is kept in this browser, by the numbers of the event's sessions. An address that carries one shows that.
  const event = location.pathname.split("/")[2];
  const key = `lectern-schedule-${event}`;
  const carried = new URLSearchParams(location.search).get("my");
  const read = () => { try { return new Set(JSON.parse(localStorage.getItem(key) || "[]")); } catch { return new Set(); } };
  const write = (mine) => { try { localStorage.setItem(key, JSON.stringify([...mine].sort((a, b) => a - b))); return true; } catch { return false; } };
  const show = () => {
    const mine = read();
    all("[data-star]").forEach((star) => {
      const on = mine.has(Number(star.dataset.star));
      star.setAttribute("role", "button");
      star.setAttribute("aria-pressed", on);
      star.classList.toggle("on", on);
      if (star.dataset.on) star.textContent = on ? star.dataset.on : star.dataset.off;
    });
    const link = document.getElementById("my-schedule");
    if (link) {
      link.querySelector("span")?.remove();
      if (mine.size) { const count = document.createElement("span"); count.textContent = ` (${mine.size})`; link.append(count); }
      const to = new URL(link.href); to.searchParams.delete("my");
      if (mine.size) to.searchParams.set("my", [...mine].sort((a, b) => a - b).join(","));
      link.href = to.pathname + to.search.replaceAll("%2C", ",");
    }
  };
  if (carried === null) {
    show();
    const toggle = (star) => {
      const mine = read(), number = Number(star.dataset.star);
      if (!mine.delete(number)) mine.add(number);
      if (!write(mine)) return false;
      show();
      return true;
    };
    document.addEventListener("click", (event) => {
      const star = event.target.closest("[data-star]");
      if (star && toggle(star)) event.preventDefault();
    });
    document.addEventListener("keydown", (event) => {
      const star = event.key === " " && event.target.closest("[data-star]");
      if (star && toggle(star)) event.preventDefault();
    });
    addEventListener("storage", (event) => { if (event.key === key) show(); });
  }

  // In a frame of another site the page says how high it is, and nothing else. Whoever frames it may know that.
  if (document.body.classList.contains("embedded") && parent !== window) {
    const tell = () => parent.postMessage({ lecternHeight: Math.ceil(document.body.getBoundingClientRect().height) }, "*");
    new ResizeObserver(tell).observe(document.body);
    tell();
  }
})();
