// The dealer's page: shows the table as the dealer may see it, and hands in the dealer's buttons.
// Nothing is worked out here: cards, points, what is due and the next step come from the table.

import { places } from "./cards.js";
import { byId, make, redraw, setText } from "./dom.js";
import { complaint, follow, send } from "./link.js";
import { pickCards, pickNumber } from "./picker.js";
import { beadPlate, bigRoad } from "./roads.js";
import { PHASES, SIDES } from "./words.js";

const ROAD_COLUMNS = 12;
const LONG_STEP = 62;
const TOAST_MS = 4000;
const SIGNS = { stop: "■", warn: "▲", info: "●" };

let view = {};

// --- the hands -------------------------------------------------------------------------------

function showHand(side, round) {
  const section = byId(side);
  const hand = round?.[side] ?? {};
  const inPlay = view.phase === "result" ? round?.outcome : null;
  section.classList.toggle("due", view.due === side);
  section.classList.toggle("won", inPlay === side || inPlay === "tie");
  const shown = { cards: hand.cards, hidden: hand.hidden, due: view.due === side };
  redraw(section.querySelector(".cards"), shown, places);
  setText(section.querySelector(".points"), hand.points == null ? "" : String(hand.points));
  setText(section.querySelector(".tag"), tag(side, hand, inPlay));
}

function tag(side, hand, outcome) {
  if (outcome === side) return "wins";
  if (outcome === "tie") return "tie";
  if (hand.natural) return "natural";
  return "";
}

/** Between rounds the hands of the last one are gone from the felt. */
function roundOnTheFelt() {
  const last = view.rounds?.at(-1);
  return view.phase === "wagers" || view.phase === "burn" ? null : last;
}

// --- the rest of the table -------------------------------------------------------------------

function showStates(round) {
  const shoe = view.shoe ?? {};
  const number = round?.number ?? (view.rounds?.at(-1)?.number ?? 0) + 1;
  setText(byId("round"), `Round ${number}${round?.kind === "dummy" ? " · dummy hand" : ""}`);
  setText(byId("phase"), PHASES[view.phase] ?? "");
  setText(byId("shoe"), shoe.last_round ? `Last round · ${shoe.remaining} left` : `${shoe.remaining} left`);
  byId("shoe").className = `state ${shoe.last_round ? "open" : "good"}`;
  showDevice("camera", "Camera");
  showDevice("board", "Board");
  const open = view.lock === "open";
  setText(byId("lock"), open ? "Shoe open" : "Shoe locked");
  byId("lock").className = open ? "state open" : "state";
}

function showDevice(id, word) {
  const lost = (view.devices_lost ?? []).includes(id);
  setText(byId(id), lost ? `${word} lost` : word);
  byId(id).className = `state ${lost ? "bad" : "good"}`;
}

function showNext(alert) {
  const next = byId("next");
  const text = view.next_step ?? "";
  setText(next.querySelector("strong"), text);
  next.className = view.phase === "ruling" ? "stop" : view.due ? "act" : "";
  next.classList.toggle("long", text.length > LONG_STEP);
  next.classList.toggle("stop", view.phase === "ruling" || alert?.severity === "stop");
}

const isOpen = (alert) => alert.severity !== "info" && !alert.settled && !alert.acknowledged;
const openAlerts = () => (view.alerts ?? []).filter(isOpen);

function mostUrgent(alerts) {
  return alerts.findLast((alert) => alert.severity === "stop") ?? alerts.at(-1);
}

function showAlert(alerts, alert) {
  const strip = byId("alert");
  strip.disabled = !alert;
  strip.className = alert?.severity ?? "";
  setText(strip.querySelector(".sign"), alert ? SIGNS[alert.severity] : "");
  setText(strip.querySelector(".what"), alert?.text ?? "No alerts");
  setText(strip.querySelector(".do"), alert?.action ?? "");
  setText(strip.querySelector(".more"), alerts.length > 1 ? `+${alerts.length - 1} more` : "");
  redraw(byId("alerts").querySelector("ul"), alerts, (all) =>
    all.map(({ text, action, severity }) =>
      make("li", {}, make("p", { class: "what" }, `${SIGNS[severity]} ${text}`), make("p", {}, action)),
    ),
  );
}

function showSteps() {
  const steps = view.steps ?? [];
  byId("steps").hidden = steps.length === 0;
  byId("hands").hidden = steps.length > 0;
  setText(byId("steps").querySelector("h2"), view.procedure ?? PHASES[view.phase] ?? "");
  redraw(byId("steps").querySelector("ol"), steps, (all) => {
    const current = all.findIndex((step) => !step.done);
    return all.map(({ text, done }, index) => {
      const item = make("li", { class: done ? "done" : "" }, text);
      if (index === current) item.setAttribute("aria-current", "step");
      return item;
    });
  });
}

// --- the buttons -----------------------------------------------------------------------------

const press = (button) => act("/api/dealer/press", { button });
const did = (step, more = {}) => act("/api/dealer/procedure", { step, ...more });

async function act(path, body) {
  const why = complaint(await send(path, body));
  if (why) toast(why);
}

async function nameCard() {
  const cards = await pickCards("Which card lies face up?", [1, 1]);
  if (cards) act("/api/dealer/name", { card: cards[0] });
}

async function tellCut() {
  const cards = await pickNumber("The cut", "Cards behind the cutting card", 60, 0, 624);
  if (cards !== null) did("cut", { from_back: cards });
}

/** Every button of the page by its name in the view's `buttons`. */
const BUTTONS = {
  turned: ["Hands turned", "chief", () => press("turned")],
  player: ["Player", "for-player", () => press("player")],
  banker: ["Banker", "for-banker", () => press("banker")],
  tie: ["Tie", "for-tie", () => press("tie")],
  next_round: ["Next round", "chief", () => press("next_round")],
  name_card: ["Name the card …", "chief", nameCard],
  exposed: ["Last card exposed", "", () => act("/api/dealer/exposed", {})],
  inspected: ["Inspected", "chief", () => did("inspected")],
  washed: ["Washed", "chief", () => did("washed")],
  shuffled_hand: ["Shuffled by hand", "chief", () => did("shuffled", { by: "hand" })],
  shuffled_machine: ["Shuffled by machine", "chief", () => did("shuffled", { by: "machine" })],
  cut: ["Cut …", "chief", tellCut],
  loaded: ["Loaded", "chief", () => did("loaded")],
  resumed: ["Dead game resumes", "", () => did("resumed")],
  call: ["Call supervisor", "", () => press("call")],
};
const IN_PLAY = ["turned", "player", "banker", "tie", "next_round"];
const AT_THE_SHOE = {
  inspection: ["inspected"],
  shuffle: ["washed", "shuffled_hand", "shuffled_machine"],
  reshuffle: ["shuffled_hand", "shuffled_machine"],
  approval: [],
  cut: ["cut", "loaded"],
};

function shownButtons() {
  const main = AT_THE_SHOE[view.phase] ?? IN_PLAY;
  const extra = ["name_card", "exposed"].filter((name) => view.buttons?.includes(name));
  return [...main, ...extra, "call"];
}

function showButtons() {
  redraw(byId("buttons"), [shownButtons(), view.buttons], ([names, live]) =>
    names.map((name) => {
      const [text, look, action] = BUTTONS[name];
      const button = make("button", { type: "button", class: look, id: `press-${name}` }, text);
      button.disabled = live ? !live.includes(name) && name !== "call" : false;
      button.addEventListener("click", action);
      return button;
    }),
  );
}

let toastTimer = 0;
function toast(text) {
  setText(byId("toast"), text);
  byId("toast").hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (byId("toast").hidden = true), TOAST_MS);
}

// --- following the table ---------------------------------------------------------------------

function show(now) {
  view = now;
  const round = roundOnTheFelt();
  const alerts = openAlerts();
  const alert = mostUrgent(alerts);
  showHand("player", round);
  showHand("banker", round);
  showStates(round);
  showNext(alert);
  showAlert(alerts, alert);
  showSteps();
  showButtons();
  const roads = view.roads ?? {};
  redraw(byId("bead-plate"), roads.bead_plate ?? [], (beads) => [beadPlate(beads, ROAD_COLUMNS)]);
  redraw(byId("big-road"), roads.big_road ?? [], (circles) => [bigRoad(circles, ROAD_COLUMNS)]);
}

function showLost(lost) {
  byId("lost").hidden = !lost;
  document.body.classList.toggle("lost", lost);
  document.querySelector("main").inert = lost;
  if (lost) byId("alerts").close();
}

const start = () =>
  follow("/api/dealer/stream", "/api/dealer/access", (access) => access.allowed, {
    onTable: show,
    onLost: showLost,
    onRefused: () => (byId("pairing").hidden = false),
  });

byId("alert").addEventListener("click", () => byId("alerts").showModal());
byId("pairing").addEventListener("submit", async (submitted) => {
  submitted.preventDefault();
  const why = complaint(await send("/api/dealer/pair", { code: byId("code").value }));
  setText(byId("pairing").querySelector(".wrong"), why);
  if (!why) {
    byId("pairing").hidden = true;
    start();
  }
});
start();
