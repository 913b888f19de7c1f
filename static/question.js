// The questions of a call: counts what is written, and shows and hides questions with a condition. Without this script
// all questions are shown, each with the words that say when it is asked.
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  function count(field) {
    const at = field.id && document.getElementById(field.id + "-count");
    if (!at) return;
    const text = field.value.trim();
    const n = at.dataset.count === "words" ? text.split(/\s+/).filter(Boolean).length : [...text].length;
    at.querySelector("[data-counted]").textContent = n;
    at.classList.toggle("over", n > Number(at.dataset.limit));
  }

  // Returns the values of the inputs with a name.
  const given = (name) => all(`[name="${CSS.escape(name)}"]`)
    .filter((e) => (e.type === "radio" || e.type === "checkbox" ? e.checked : true)).map((e) => e.value);

  function ask() {
    const conditional = all("[data-if]");
    const known = new Map();
    const asked = (question) => {
      if (!question || !question.dataset.if) return Boolean(question);
      if (known.has(question)) return known.get(question).length > 0;
      known.set(question, []); // false while we are looking: breaks cycles between questions
      const words = [];
      for (const { name, answers, before, after } of JSON.parse(question.dataset.if)) {
        const on = document.querySelector(`[data-question="${CSS.escape(name)}"]`);
        const names = asked(on) ? given(name).filter((value) => value in answers).map((value) => answers[value]) : [];
        if (!names.length) return false;
        words.push(before + names.join(question.dataset.or) + after);
      }
      known.set(question, words);
      return true;
    };
    for (const question of conditional) {
      question.hidden = !asked(question);
      question.querySelector("[data-why]").textContent =
        question.hidden ? question.dataset.only : question.dataset.because.replace("%s", () => known.get(question).join(question.dataset.and));
    }
  }

  const ready = () => { ask(); all("[data-count]").forEach((at) => count(document.getElementById(at.id.replace(/-count$/, "")))); };
  document.addEventListener("input", ({ target }) => { count(target); if (target.closest("[data-question]")) ask(); });
  document.addEventListener("change", ({ target }) => { if (target.closest("[data-question]")) ask(); });
  document.addEventListener("htmx:afterSwap", ready);
  ready();
})();
