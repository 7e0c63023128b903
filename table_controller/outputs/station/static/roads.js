// Bead plate and big road as SVG: six rows, the newest columns that fit.

const SVG = "http://www.w3.org/2000/svg";
const ROWS = 6;
const LETTERS = { player: "P", banker: "B", tie: "T" };

function shape(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

function plate(columns, label) {
  const svg = shape("svg", {
    viewBox: `0 0 ${columns} ${ROWS}`, class: "road", role: "img", "aria-label": label,
    preserveAspectRatio: "xMinYMin meet",
  });
  const lines = [];
  for (let x = 1; x < columns; x += 1) lines.push(`M${x} 0V${ROWS}`);
  for (let y = 1; y < ROWS; y += 1) lines.push(`M0 ${y}H${columns}`);
  svg.append(shape("path", { class: "grid", d: lines.join(""), fill: "none" }));
  return svg;
}

/** `beads`: columns of {outcome, banker_pair, player_pair}, the newest last. */
export function beadPlate(beads, columns) {
  const svg = plate(columns, "bead plate");
  beads.slice(-columns).forEach((column, x) =>
    column.forEach((bead, y) => {
      svg.append(
        shape("circle", { cx: x + 0.5, cy: y + 0.5, r: 0.42, class: `fill-${bead.outcome}` }),
        shape("text", { x: x + 0.5, y: y + 0.73 }, LETTERS[bead.outcome]),
      );
      if (bead.banker_pair) {
        svg.append(shape("circle", { cx: x + 0.16, cy: y + 0.16, r: 0.14, class: "fill-banker" }));
      }
      if (bead.player_pair) {
        svg.append(shape("circle", { cx: x + 0.84, cy: y + 0.84, r: 0.14, class: "fill-player" }));
      }
    }),
  );
  return svg;
}

/** `circles`: {column, row, side, ties}, both counted from 0. */
export function bigRoad(circles, columns) {
  const svg = plate(columns, "big road");
  const last = circles.reduce((most, circle) => Math.max(most, circle.column), 0);
  const first = Math.max(0, last + 1 - columns);
  for (const { column, row, side, ties } of circles) {
    const x = column - first;
    if (x < 0) continue;
    svg.append(
      shape("circle", {
        cx: x + 0.5, cy: row + 0.5, r: 0.36, fill: "none", "stroke-width": 0.16,
        class: `ring-${side}`,
      }),
    );
    if (ties) {
      const d = `M${x + 0.15} ${row + 0.85}L${x + 0.85} ${row + 0.15}`;
      svg.append(shape("path", { d, "stroke-width": 0.14, class: "stroke-tie" }));
    }
  }
  return svg;
}

/** The marks of a derived road: hollow for the big eye boy, full for the small road, strokes. */
const MARKS = {
  big_eye_boy: (x, y, colour) =>
    shape("circle", { cx: x + 0.5, cy: y + 0.5, r: 0.34, fill: "none", "stroke-width": 0.16, class: `ring-${colour}` }),
  small_road: (x, y, colour) =>
    shape("circle", { cx: x + 0.5, cy: y + 0.5, r: 0.38, class: `fill-${colour}` }),
  cockroach_pig: (x, y, colour) =>
    shape("path", { d: `M${x + 0.15} ${y + 0.85}L${x + 0.85} ${y + 0.15}`, "stroke-width": 0.2, class: `ring-${colour}` }),
};

/** `marks`: {column, row, colour: red or blue}; the colours are the banker's and the player's. */
export function derivedRoad(kind, marks, columns, label) {
  const svg = plate(columns, label);
  const last = marks.reduce((most, mark) => Math.max(most, mark.column), 0);
  const first = Math.max(0, last + 1 - columns);
  for (const { column, row, colour } of marks) {
    if (column < first) continue;
    svg.append(MARKS[kind](column - first, row, colour === "red" ? "banker" : "player"));
  }
  return svg;
}
