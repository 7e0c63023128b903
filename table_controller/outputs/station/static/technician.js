// The technician's page: devices, and how the last card was read. It asks again every second.

import { byId, make, redraw, setText } from "./dom.js";

const ASK_MS = 1000;

function deviceItem({ name, works, detail }) {
  return make(
    "li",
    { class: works ? "device" : "device bad" },
    make("span", { class: "sign" }, works ? "✓" : "✗"),
    make("span", {}, name),
    make("span", { class: "detail" }, detail),
  );
}

function sheetFigure({ title, text, picture }) {
  return make(
    "figure",
    {},
    make("img", { src: picture, alt: title }),
    make("figcaption", {}, make("strong", {}, title), `\n${text}`),
  );
}

function whyNot({ shown, sheets }) {
  if (!shown) return "The table is in play: a card is shown here only when it can be nobody's secret.";
  return sheets.length ? "" : "No card has been read since the start.";
}

async function look() {
  try {
    const answers = await Promise.all([fetch("/api/technician/devices"), fetch("/api/technician/reading")]);
    byId("closed").hidden = answers.every(({ status }) => status !== 401);
    if (answers.every(({ ok }) => ok)) {
      const [devices, reading] = await Promise.all(answers.map((answer) => answer.json()));
      redraw(byId("devices"), devices, (all) => all.map(deviceItem));
      redraw(byId("sheets"), reading.sheets, (all) => all.map(sheetFigure));
      setText(byId("why-not"), whyNot(reading));
    }
  } catch {
    setText(byId("why-not"), "No connection to the table. Asking again …");
  }
  setTimeout(look, ASK_MS);
}

look();
