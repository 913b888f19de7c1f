// The end of a session follows its start and keeps its length, if that is less than a day.
(() => {
  const start = document.getElementById("starts_at"), end = document.getElementById("ends_at");
  if (!start || !end) return;
  const at = (input) => Date.parse(input.value + "Z");
  let long = at(end) - at(start);
  end.addEventListener("input", () => { long = at(end) - at(start); });
  start.addEventListener("input", () => {
    const to = new Date(at(start) + long);
    if (long > 0 && long < 24 * 60 * 60 * 1000 && !isNaN(to) && to.getUTCFullYear() < 10000) end.value = to.toISOString().slice(0, 16);
  });
})();
