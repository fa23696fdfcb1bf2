// This file owns what the page does when scripts run: search, the filter by verdict,
// opening and closing. Without it the page shows everything.
(() => {
  "use strict";
  const find = document.querySelector(".find");
  const claims = [...document.querySelectorAll(".claim")].map((el) => ({
    el,
    verdict: el.dataset.verdict,
    head: [...el.querySelectorAll(".searched")].map((e) => e.textContent).join(" ").toLowerCase(),
    attacks: [...el.querySelectorAll(".attacks > li, .controls > li")].map((item) => ({ item, text: item.textContent.toLowerCase() })),
    opened: el.open,
  }));
  const groups = [...document.querySelectorAll(".boundary")];

  if (find && claims.length) {
    find.hidden = false;
    const field = find.querySelector("input[type=search]");
    const output = find.querySelector("output");
    let searching = false;

    const apply = () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      const wanted = find.querySelector("input[type=radio]:checked").value;
      const all = (text) => words.every((w) => text.includes(w));
      if (words.length && !searching) claims.forEach((c) => { c.opened = c.el.open; });
      let shown = 0, items = 0;
      for (const c of claims) {
        const permitted = !wanted || c.verdict === wanted;
        const head = all(c.head);
        const hits = c.attacks.filter((a) => all(c.head + " " + a.text) && words.some((w) => a.text.includes(w)));
        const there = permitted && (head || hits.length > 0);
        c.el.hidden = !there;
        // Where only some attacks are meant, only those are shown.
        for (const a of c.attacks) a.item.hidden = words.length > 0 && !head && !hits.includes(a);
        if (there) { shown++; items += words.length ? hits.length : c.attacks.length; }
        if (words.length) c.el.open = there && hits.length > 0;
        else if (searching) c.el.open = c.opened;
      }
      for (const g of groups) g.hidden = ![...g.querySelectorAll(".claim")].some((el) => !el.hidden);
      searching = words.length > 0;
      output.textContent = searching || wanted ? `${shown} of ${claims.length} claims` + (searching ? `, ${items} attacks and controls match` : "") : "";
    };
    field.addEventListener("input", apply);
    find.addEventListener("change", apply);
    find.addEventListener("submit", (e) => e.preventDefault());
    find.querySelector(".expand").addEventListener("click", () => claims.forEach((c) => { c.el.open = true; }));
    find.querySelector(".collapse").addEventListener("click", () => claims.forEach((c) => { c.el.open = false; }));
    apply();
  }

  // A link to a claim opens it.
  const follow = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.matches("details")) {
      target.open = true;
      target.hidden = false;
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", follow);
  follow();

  // What was found wrong is printed open, whatever is open on the screen.
  let before = [];
  addEventListener("beforeprint", () => {
    before = claims.map((c) => c.el.open);
    claims.forEach((c) => { if (c.verdict !== "held") c.el.open = true; });
  });
  addEventListener("afterprint", () => claims.forEach((c, i) => { c.el.open = before[i]; }));
})();
