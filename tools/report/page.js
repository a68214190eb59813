"use strict";
(() => {
  const sort = (header) => {
    const column = [...header.parentNode.children].indexOf(header);
    const down = header.getAttribute("aria-sort") === "ascending";
    for (const other of header.parentNode.children) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = header.closest("table").tBodies[0];
    const keyed = [...body.rows].map((row) => {
      const {dataset, textContent} = row.cells[column];
      return {row, value: dataset.value === undefined ? null : Number(dataset.value), text: textContent.trim()};
    });
    /* Numbers, then texts, then empty places, whichever way the rest goes. */
    const rank = ({value, text}) => (value !== null ? 0 : text ? 1 : 2);
    keyed.sort((a, b) => {
      if (rank(a) !== rank(b)) return rank(a) - rank(b);
      const order = a.value !== null ? a.value - b.value : a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
      return down ? -order : order;
    });
    body.append(...keyed.map(({row}) => row));
  };

  const filter = (field) => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of field.parentNode.querySelector("tbody").rows) {
      const told = [row, ...row.cells].map((each) => `${each.title}`).join(" ");
      const text = `${row.textContent} ${told}`.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
  };

  for (const header of document.querySelectorAll(".sortable th")) {
    header.addEventListener("click", () => sort(header));
    header.addEventListener("keydown", (event) => event.key === "Enter" && sort(header));
  }
  for (const field of document.querySelectorAll("input.filter")) field.addEventListener("input", () => filter(field));
})();
