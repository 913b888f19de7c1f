// The public pages beyond links. Everything also works without this script; stars are then kept in the address.
(() => {
  const root = document.documentElement;
  root.classList.remove("no-js");
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // A panel closes on Escape and at a click beside it, which applies the ticked filters.
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
  // The buttons say how many sessions they would show; the number comes from the page that they lead to.
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

  // Offers the times in the reader's zone too, if that differs from the event's.
  const clock = document.querySelector("[data-clock]"), zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // Zones with the same offset at all times of the page count as the same.
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

  // A back link returns in the history if the reader came from the list, which then keeps its filters and position.
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

  // My schedule is stored in this browser, as the numbers of the event's sessions. Only the page of a schedule shows the
  // one in its address, which may be somebody else's; all other pages show this browser's.
  const [, , event, page] = location.pathname.split("/");
  const key = `lectern-schedule-${event}`;
  const numbers = (some) => [...new Set([...some].map(Number))].filter((n) => Number.isSafeInteger(n) && n > 0).sort((a, b) => a - b);
  const read = () => { try { return numbers(JSON.parse(localStorage.getItem(key)) || []); } catch { return []; } };
  const write = (mine) => { try { localStorage.setItem(key, JSON.stringify(numbers(mine))); return true; } catch { return false; } };
  const numberOf = (star) => Number(star.hash.slice(2)); // the hash leads back to the session
  const keeps = (() => { try { return Boolean(localStorage); } catch { return false; } })();
  const asked = new URLSearchParams(location.search).get("my");
  const carried = numbers((asked || "").split(","));
  const withStars = (address, mine) => {
    const to = new URL(address, location);
    to.searchParams.delete("my");
    if (mine.length) to.searchParams.set("my", mine.join(","));
    return to.pathname + to.search.replaceAll("%2C", ",") + to.hash;
  };
  // A button shows only the starred sessions of the page.
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
      // If the address held this browser's own schedule, or none, it is replaced by the present one, also after Back.
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
      const named = star.getAttribute("aria-labelledby"); // the label of the pressed button is the same
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
    // Other pages ignore a schedule in the address, and remove it.
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

  // In the frame of another site, report the height of the content to the site and nothing else: any site may frame us.
  if (document.body.classList.contains("embedded") && parent !== window) {
    const bar = () => innerHeight - root.clientHeight; // the scrollbar for the rooms that do not fit
    const grid = document.querySelector(".agenda.grid");
    if (grid) { // the scrollbar at the foot of a long day is out of reach, so there is one above the rooms too
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
