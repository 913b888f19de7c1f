// What the pages for everybody do beyond links. Everything works without it: what is starred then stands in the address.
(() => {
  const root = document.documentElement;
  root.classList.remove("no-js");
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // A panel closes by Escape and by a click beside it, which takes over what was ticked.
  document.addEventListener("click", ({ target }) => all("details.filter[open], details.zones[open]").forEach((d) => {
    if (d.contains(target)) return;
    d.open = false;
    const form = !target.closest("a, button, input, summary") && d.closest("form");
    if (form && all("input", d).some((i) => i.checked !== i.defaultChecked)) form.requestSubmit();
  }));
  document.addEventListener("keydown", (event) => {
    const open = event.key === "Escape" && document.querySelector("details.filter[open], details.zones[open]");
    if (open) { open.open = false; open.querySelector("summary").focus(); }
  });
  // The buttons say how many sessions they would show, as the page says of itself that they lead to.
  let latest = 0;
  document.addEventListener("change", async ({ target }) => {
    const form = target.closest(".filter") && target.form, now = ++latest;
    if (!form) return;
    try {
      const answer = await fetch(`${form.action}?${new URLSearchParams(new FormData(form))}`);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const shows = page.querySelector("[data-shows]")?.dataset.shows;
      if (shows && now === latest) all("[data-shows]", form).forEach((button) => { button.textContent = shows; });
    } catch { /* they do the same without a number */ }
  });

  // A link shows the times by the clock of who reads too, where it is another one.
  const clock = document.querySelector("[data-clock]"), zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // The clocks of two places that show the same are one: each time on the page says how far from UTC the event's is.
  const times = all("time[datetime]"), isOther = (time) => {
    const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(time.dateTime) ?? ["", "+", 0, 0];
    return -new Date(time.dateTime).getTimezoneOffset() !== Number(`${sign}1`) * (hours * 60 + Number(minutes));
  };
  if (clock && zone && zone !== clock.dataset.clock && (!times.length || times.some(isOther))) {
    const to = new URL(clock.href);
    to.searchParams.set("tz", zone);
    clock.href = to.href.replaceAll("%2C", ",").replaceAll("%2F", "/");
    clock.hidden = false;
  }

  // Back leads to the list that one came from, as it was: with what narrows it, and where it was scrolled to.
  document.addEventListener("click", (click) => {
    const plain = click.button === 0 && !click.ctrlKey && !click.metaKey && !click.shiftKey && !click.altKey;
    const before = window.navigation?.entries()[navigation.currentEntry.index - 1]?.url;
    if (!plain || !before || !click.target.closest("[data-back]")) return;
    const from = new URL(before), at = location.pathname.split("/");
    const [, , place, list, more] = from.pathname.split("/");
    const isList = list === "agenda" || ["sessions", "itinerary", "my"].includes(list) && !more;
    if (from.origin !== location.origin || place !== at[2] || !isList) return;
    click.preventDefault();
    history.back();
  });

  // My schedule is kept in this browser, by the numbers of the event's sessions. The page of a schedule shows what its
  // address carries, which may be somebody else's; all else of the pages is one's own.
  const [, , event, page] = location.pathname.split("/");
  const key = `lectern-schedule-${event}`;
  const numbers = (some) => [...new Set([...some].map(Number))].filter((n) => Number.isSafeInteger(n) && n > 0).sort((a, b) => a - b);
  const read = () => { try { return numbers(JSON.parse(localStorage.getItem(key)) || []); } catch { return []; } };
  const write = (mine) => { try { localStorage.setItem(key, JSON.stringify(numbers(mine))); return true; } catch { return false; } };
  const numberOf = (star) => Number(star.hash.slice(2)); // it leads back to where the session stands
  const keeps = (() => { try { return Boolean(localStorage); } catch { return false; } })();
  const asked = new URLSearchParams(location.search).get("my");
  const carried = numbers((asked || "").split(","));
  const withStars = (address, mine) => {
    const to = new URL(address, location);
    to.searchParams.delete("my");
    if (mine.length) to.searchParams.set("my", mine.join(","));
    return to.pathname + to.search.replaceAll("%2C", ",") + to.hash;
  };
  // What is starred of the page can be shown alone.
  const only = document.getElementById("only-starred");
  const onlyStarred = (on = only?.getAttribute("aria-pressed") === "true") => {
    if (!only) return;
    const count = all("[data-star].on").length;
    only.hidden = !count;
    only.setAttribute("aria-pressed", on && count > 0);
    only.querySelector("span").textContent = count;
    document.body.classList.toggle("only-starred", on && count > 0);
  };
  only?.addEventListener("click", () => onlyStarred(only.getAttribute("aria-pressed") !== "true"));
  const title = document.title;
  const called = (whose) => document.querySelector(`h1 [data-schedule~="${whose}"]`)?.textContent ?? "";
  const show = () => {
    const mine = read();
    if (page === "my") {
      // An address that was one's own follows what is starred since, also by Back; one without stars leads to one's own.
      const own = String(mine) === String(carried);
      if (!own && (!carried.length || history.state?.own)) return location.replace(withStars(location.pathname + location.search, mine));
      if (own) history.replaceState({ own }, "");
      document.title = own ? title : title.replace(called("kept"), called("shared"));
      all("[data-schedule]").forEach((part) => { part.hidden = !part.dataset.schedule.split(" ").includes(own ? "kept" : "shared"); });
    }
    all("[data-star]").forEach((star) => {
      const on = mine.includes(numberOf(star));
      star.setAttribute("role", "button");
      star.setAttribute("aria-pressed", on);
      star.classList.toggle("on", on);
      const named = star.getAttribute("aria-labelledby"); // pressed or not, a button is called the same
      if (named) star.setAttribute("aria-labelledby", named.replace(/^un/, ""));
      if (star.dataset.on) star.textContent = on ? star.dataset.on : star.dataset.off;
    });
    onlyStarred();
    all("#my-schedule, #back-to-mine").forEach((link) => { link.href = withStars(link.href, mine); });
    const link = document.getElementById("my-schedule");
    link?.querySelector("span")?.remove();
    if (link && mine.length) { const count = document.createElement("span"); count.textContent = ` (${mine.length})`; link.append(count); }
  };
  if (keeps) {
    show();
    // What an address carries is nobody's on other pages.
    if (asked !== null) {
      if (page !== "my") history.replaceState(history.state, "", withStars(location.href, []));
      all('a[href*="my="]:not([data-star], [href*="/my?"], [href*="/my.ics"])').forEach((link) => { link.href = withStars(link.href, []); });
    }
    const toggle = (star) => {
      const mine = read(), number = numberOf(star);
      if (!write(mine.includes(number) ? mine.filter((n) => n !== number) : [...mine, number])) return false;
      show();
      return true;
    };
    document.addEventListener("click", ({ target }) => {
      if (target.closest("#add-to-mine") && write([...read(), ...carried])) location.assign(withStars(location.pathname + location.search, read()));
    });
    document.addEventListener("click", (event) => {
      const star = event.target.closest("[data-star]");
      if (star && toggle(star)) event.preventDefault();
    });
    document.addEventListener("keydown", (event) => {
      const star = event.key === " " && event.target.closest("[data-star]");
      if (star && toggle(star)) event.preventDefault();
    });
    addEventListener("storage", (event) => { if (event.key === key) show(); });
    addEventListener("pageshow", (event) => { if (event.persisted) show(); });
  }

  // In a frame of another site the page says how high it is, and nothing else. Whoever frames it may know that.
  if (document.body.classList.contains("embedded") && parent !== window) {
    const bar = () => innerHeight - root.clientHeight; // where rooms that do not fit are scrolled to
    const grid = document.querySelector(".agenda.grid");
    if (grid) { // the bar at the foot of a day is screens away, so there is one over the rooms too
      const reach = document.createElement("div");
      reach.className = "reach fix";
      reach.ariaHidden = true;
      reach.tabIndex = -1;
      reach.append(document.createElement("div"));
      grid.before(reach);
      const fit = () => {
        reach.hidden = root.scrollWidth <= root.clientWidth;
        reach.firstChild.style.width = `${root.scrollWidth}px`;
      };
      reach.addEventListener("scroll", () => scrollTo({ left: reach.scrollLeft, behavior: "instant" }));
      addEventListener("scroll", () => { reach.scrollLeft = scrollX; });
      new ResizeObserver(fit).observe(grid);
      addEventListener("resize", fit);
    }
    const tell = () => parent.postMessage({ lecternHeight: Math.ceil(document.body.getBoundingClientRect().height) + bar() }, "*");
    new ResizeObserver(tell).observe(document.body);
    tell();
  }
})();
