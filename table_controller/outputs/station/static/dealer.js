// The dealer's page: shows the table as the dealer may see it, and hands in the dealer's buttons.
// Nothing is worked out here: cards, points, what is due and the next step come from the table.

import { places } from "./cards.js";
import { byId, make, redraw, setText } from "./dom.js";
import { complaint, follow, send } from "./link.js";
import { pickCards, pickNumber, sure } from "./picker.js";
import { beadPlate, bigRoad } from "./roads.js";
import { setClock, stepItems } from "./steps.js";
import { enterWagers } from "./wagers.js";
import { money, PHASES, spotWords } from "./words.js";

const ROAD_COLUMNS = 12;
const LONG_STEP = 62;
const TOAST_MS = 4000;
const CLOCK = "/api/dealer/clock";
const SIGNS = { stop: "■", warn: "▲", info: "●" };

let view = {};

// --- the hands -------------------------------------------------------------------------------

function showHand(side) {
  const section = byId(side);
  const hand = view.round?.[side] ?? {};
  const outcome = view.phase === "result" ? view.round?.outcome : null;
  const due = view.due === side;
  section.classList.toggle("due", due);
  section.classList.toggle("won", outcome === side || outcome === "tie");
  const shown = { cards: hand.cards, hidden: hand.count, due, unread: view.naming };
  redraw(section.querySelector(".cards"), shown, places);
  setText(section.querySelector(".points"), hand.cards?.length ? String(hand.points) : "");
  setText(section.querySelector(".tag"), tag(side, hand, outcome));
}

function tag(side, hand, outcome) {
  if (outcome === side) return "wins";
  if (outcome === "tie") return "tie";
  return hand.natural ? "natural" : "";
}

// --- the rest of the table -------------------------------------------------------------------

function showStates() {
  const { round, shoe } = view;
  setText(byId("round"), round ? `Round ${round.number}` : "");
  setText(byId("phase"), round?.kind === "dummy" ? "Dummy hand" : PHASES[view.phase]);
  const words = [shoe.last_round && "Last round", `${shoe.remaining} left`, view.held && "1 held"];
  setText(byId("shoe"), shoe.lid_open ? "Lid open" : words.filter(Boolean).join(" · "));
  byId("shoe").className = `state ${shoe.lid_open ? "bad" : shoe.last_round ? "open" : "good"}`;
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

function showNext() {
  const next = byId("next");
  setText(next.querySelector("strong"), view.next_step);
  next.className = view.phase === "ruling" ? "stop" : view.due ? "act" : "";
  next.classList.toggle("long", view.next_step.length > LONG_STEP);
}

/** What still wants somebody: warnings not seen yet, and stops until they are ruled on. */
const isOpen = (alert) => alert.shining || (alert.severity === "stop" && !alert.settled);
const openAlerts = () => view.alerts.filter(isOpen);

function mostUrgent(alerts) {
  return alerts.findLast((alert) => alert.severity === "stop") ?? alerts.at(-1);
}

function showStrip() {
  const alerts = openAlerts();
  const paid = view.phase === "result" ? (view.round?.paid ?? []) : [];
  const strip = byId("strip");
  if (alerts.length) {
    const alert = mostUrgent(alerts);
    const more = alerts.length > 1 ? `+${alerts.length - 1} more` : "";
    fillStrip(alert.severity, SIGNS[alert.severity], alert.text, alert.action, more);
  } else if (paid.length) {
    const [collect, pay] = [paid.filter((one) => !one.returned), paid.filter((one) => one.returned)];
    const words = (all) => all.map(paidWords).join(" · ") || "nothing";
    fillStrip("pay", "$", `Collect: ${words(collect)}`, `Pay: ${words(pay)}`, "");
  } else if (view.phase === "wagers") {
    fillStrip("pay", "$", wagersWords(), seatsWords(), "Enter …");
  } else {
    fillStrip("", "", "No alerts", view.house, "");
  }
  strip.disabled = !alerts.length && !paid.length && view.phase !== "wagers";
  redraw(byId("list").querySelector("ul"), alerts.length ? alerts : paid, (all) =>
    all.map((one) => (one.code ? alertItem(one) : make("li", { class: "what" }, paidWords(one)))),
  );
}

function wagersWords() {
  const each = view.wagers.map(({ seat, on, cents, dealer }) =>
    `${dealer ? "dealer's" : `seat ${seat}`} ${spotWords(on)} ${money(cents)}`,
  );
  return each.length ? `Wagers: ${each.join(" · ")}` : "No wagers entered";
}

function seatsWords() {
  if (!view.bank) return view.house;
  const fees = view.fees.map(({ seat, cents }) => `seat ${seat} ${money(cents)}`);
  return `Bank: seat ${view.bank.seat}${fees.length ? ` · Fees: ${fees.join(", ")}` : ""}`;
}

function fillStrip(look, sign, what, todo, more) {
  const strip = byId("strip");
  strip.className = look;
  for (const [part, text] of Object.entries({ sign, what, do: todo, more })) {
    setText(strip.querySelector(`.${part}`), text);
  }
}

const alertItem = ({ text, action, severity }) =>
  make("li", {}, make("p", { class: "what" }, `${SIGNS[severity]} ${text}`), make("p", {}, action));

function paidWords({ seat, on, staked, returned, commission, dealer }) {
  const who = dealer ? "dealer's" : `seat ${seat}`;
  const kept = commission ? ` (commission ${money(commission)})` : "";
  return `${who} ${spotWords(on)} ${money(returned || staked)}${kept}`;
}

function showSteps() {
  const { procedure } = view;
  byId("steps").hidden = procedure === null;
  byId("hands").hidden = procedure !== null;
  setText(byId("steps").querySelector("h2"), procedure?.title ?? "");
  redraw(byId("steps").querySelector("ol"), procedure?.steps ?? [], stepItems);
}

// --- the buttons -----------------------------------------------------------------------------

const press = (button) => act("/api/dealer/press", { button });
const did = (step, more = {}) => act("/api/dealer/procedure", { step, ...more });

async function act(path, body) {
  const why = complaint(await send(path, body));
  if (why) toast(why);
}

async function nameCard() {
  const cards = await pickCards("Which card lies face up? None, if it cannot be told.", [0, 1]);
  if (cards) act("/api/dealer/name", { card: cards[0] ?? null });
}

async function tellCut() {
  const cards = await pickNumber("The cut", "Cards behind the cutting card", 60, 0, 624);
  if (cards !== null) did("cut", { from_back: cards });
}

async function tellClosing() {
  if (await sure("Close the table? It opens again with new cards.")) did("closed");
}

/** Every button of the page: its text, its look, what it does. */
const BUTTONS = {
  turned: ["Hands turned", "chief", () => press("turned")],
  player: ["Player", "for-player", () => press("player")],
  banker: ["Banker", "for-banker", () => press("banker")],
  tie: ["Tie", "for-tie", () => press("tie")],
  next_round: ["Next round", "chief", () => press("next_round")],
  name_card: ["Name the card …", "chief", nameCard],
  exposed: ["Last card exposed", "", () => press("exposed")],
  inspected: ["Inspected", "chief", () => did("inspected")],
  washed: ["Washed", "chief", () => did("washed")],
  shuffled_hand: ["Shuffled by hand", "chief", () => did("shuffled", { by: "hand" })],
  shuffled_machine: ["Shuffled by machine", "chief", () => did("shuffled", { by: "machine" })],
  cut: ["Cut …", "chief", tellCut],
  loaded: ["Loaded", "chief", () => did("loaded")],
  resumed: ["Dead game", "", () => did("resumed")],
  relieved: ["Change of dealer", "", () => did("relieved")],
  closed: ["Close the table …", "", tellClosing],
  opened: ["Open with new cards", "chief", () => did("opened")],
  shuffler_error: ["Shuffler: error light", "", () => press("shuffler_error")],
  shuffler_clear: ["Shuffler: light is off", "", () => press("shuffler_clear")],
  call: ["Call supervisor", "", () => press("call")],
};
const RESULTS = ["player", "banker", "tie"];
const PROCEDURES = {
  inspected: ["inspected"],
  washed: ["washed"],
  shuffled: ["shuffled_hand", "shuffled_machine"],
  cut: ["cut"],
  loaded: ["loaded"],
  closed: ["closed"],
  opened: ["opened"],
};

/** The names of the buttons that are shown; their places stay the same all through a round. */
function shownButtons() {
  if (view.procedure) {
    return [...view.procedures.flatMap((step) => PROCEDURES[step] ?? []), ...shufflerLight(), "call"];
  }
  const turning = view.deal === "face_down" ? ["turned", ...RESULTS] : [];
  const special = view.naming ? "name_card" : view.phase === "wagers" ? "resumed" : "exposed";
  return [...turning, "next_round", special, "relieved", "call"];
}

/** The shuffling machine has no wire to us: the dealer says what its error light does (S3). */
function shufflerLight() {
  const isOn = view.alerts.some(({ code, settled }) => code === "shuffler_error" && !settled);
  if (isOn) return ["shuffler_clear"];
  return view.lights.includes("shuffle") ? ["shuffler_error"] : [];
}

function isLive(name) {
  const allLie = view.round?.hidden && view.round.player.count + view.round.banker.count >= 4;
  if (name === "turned") return allLie;
  if (RESULTS.includes(name)) return allLie || view.phase === "reveal";
  if (name === "next_round") return view.phase === "result";
  if (name === "exposed") return view.may_expose;
  if (name === "resumed" || name === "relieved") return view.procedures.includes(name);
  return true;
}

function showButtons() {
  const buttons = shownButtons().map((name) => [name, Boolean(isLive(name))]);
  redraw(byId("buttons"), buttons, (all) =>
    all.map(([name, live]) => {
      const [text, look, action] = BUTTONS[name];
      const button = make("button", { type: "button", class: look, id: `press-${name}` }, text);
      button.disabled = !live;
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
  showHand("player");
  showHand("banker");
  showStates();
  showNext();
  showStrip();
  showSteps();
  showButtons();
  const { bead_plate: beads, big_road: circles } = view.roads;
  redraw(byId("bead-plate"), beads, () => [beadPlate(beads, ROAD_COLUMNS)]);
  redraw(byId("big-road"), circles, () => [bigRoad(circles, ROAD_COLUMNS)]);
}

function showLost(lost) {
  if (!lost) setClock(CLOCK);
  byId("lost").hidden = !lost;
  document.body.classList.toggle("lost", lost);
  document.querySelector("main").inert = lost;
  if (lost) byId("list").close();
}

const start = async () => {
  await setClock(CLOCK);
  follow("/api/dealer/stream", "/api/dealer/access", (access) => access.allowed, {
    onTable: show,
    onLost: showLost,
    onRefused: () => (byId("pairing").hidden = false),
  });
};

byId("strip").addEventListener("click", () => {
  if (view.phase === "wagers" && !openAlerts().length) enterWagers(() => view);
  else byId("list").showModal();
});
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
